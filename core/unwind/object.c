/* SPDX-License-Identifier: MIT */
/*
 * Objects are found by glibc's _dl_find_object(), which exists since 2.35 and
 * takes no lock.  The loader leaves an object's headers where it mapped the
 * first segment.
 */
#include "core/unwind/object.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

/* Headers outside of the first page are not looked for: patchelf may put them
 * anywhere. */
#define PAGE 4096u

static struct ptl_unwind_object program;

#ifdef DLFO_EH_SEGMENT_TYPE
static int (*find_object)(void *addr, struct dl_find_object *object);
#endif

static bool holds(const struct ptl_unwind_object *object, uint64_t addr)
{
	return addr - (uintptr_t)object->begin <
	       (uintptr_t)object->end - (uintptr_t)object->begin;
}

static void find_program(void)
{
	const uint64_t headers = getauxval(AT_PHDR);
	const uint64_t nr = headers ? getauxval(AT_PHNUM) : 0;
	const ElfW(Phdr) *ph = (const void *)(uintptr_t)headers;
	uint64_t low = UINT64_MAX, high = 0, bias = 0;

	for (uint64_t i = 0; i < nr; i++, ph++) {
		if (ph->p_type == PT_PHDR)
			bias = headers - ph->p_vaddr;
		if (ph->p_type != PT_LOAD)
			continue;
		low = PTL_MIN(low, ph->p_vaddr & ~(uint64_t)(PAGE - 1));
		high = PTL_MAX(high, ph->p_vaddr + ph->p_memsz);
	}
	program.begin = (const unsigned char *)(uintptr_t)(bias + low);
	program.end = (const unsigned char *)(uintptr_t)(bias + high);
	/* Without a PT_PHDR the load address may be unknown. */
	if (low > high || !holds(&program, headers))
		program.end = program.begin;
}

void ptl_loaded_init(void)
{
	find_program();
#ifdef DLFO_EH_SEGMENT_TYPE
	/* Without dlerror() there is no dlsym() either. */
	if (dlerror)
		find_object = (__typeof__(find_object))dlsym(RTLD_DEFAULT,
							     "_dl_find_object");
	if (dlerror && !find_object)
		dlerror(); /* the program shall not see our failure */
#endif
}

PTL_ALIGNS uint64_t ptl_loaded_table(uint64_t pc, uint64_t *room,
				     struct ptl_unwind_object *object)
{
#ifdef DLFO_EH_SEGMENT_TYPE
	struct dl_find_object *found = (void *)room;

	static_assert(sizeof(*found) <= PTL_LOADED_ROOM * sizeof(*room),
		      "room");
	if (!find_object || find_object((void *)pc, found) != 0)
		return 0;
	*object = (struct ptl_unwind_object){
		.begin = found->dlfo_map_start,
		.end = found->dlfo_map_end,
	};
	return ptl_loaded_whole(object, (uintptr_t)found->dlfo_eh_frame) ?
		       (uintptr_t)found->dlfo_eh_frame :
		       0;
#else
	(void)pc, (void)room, (void)object;
	return 0;
#endif
}

bool ptl_loaded_whole(struct ptl_unwind_object *object, uint64_t table)
{
	if (holds(object, table))
		return true;
	if (!holds(&program, table) ||
	    !holds(&program, (uintptr_t)object->begin))
		return false;
	*object = program;
	return true;
}

/* The program headers; NULL: they cannot be read. */
static const ElfW(Phdr) * find_headers(const struct ptl_unwind_object *object)
{
	size_t size = PTL_MIN((size_t)(object->end - object->begin), PAGE);
	const ElfW(Ehdr) *head = (const void *)object->begin;

	if (size < sizeof(*head) || (uintptr_t)head % _Alignof(ElfW(Ehdr)) ||
	    memcmp(head->e_ident, ELFMAG "\2", SELFMAG + 1) != 0 ||
	    head->e_phentsize != sizeof(ElfW(Phdr)) || head->e_phnum == 0 ||
	    head->e_phoff > size || head->e_phoff % _Alignof(ElfW(Phdr)) ||
	    head->e_phnum > (size - head->e_phoff) / sizeof(ElfW(Phdr)))
		return NULL;
	return (const void *)(object->begin + head->e_phoff);
}

/* Finds the segment at a place in the object, as far as it is in the object. */
static bool find_segment(struct ptl_unwind_object *object,
			 const ElfW(Phdr) * ph, uint64_t place)
{
	const ElfW(Ehdr) *head = (const void *)object->begin;
	const ElfW(Phdr) *end = ph + head->e_phnum;
	uint64_t first, from = 0, size;

	while (ph < end && ph->p_type != PT_LOAD)
		ph++;
	/* Segments are in ascending order. */
	first = ph < end ? ph->p_vaddr & ~(uint64_t)(PAGE - 1) : 0;
	for (; ph < end; ph++) {
		from = ph->p_vaddr - first;
		if (from <= place && place - from < ph->p_memsz &&
		    ph->p_type == PT_LOAD && ph->p_flags & PF_R)
			break;
	}
	if (ph == end)
		return false;
	object->segment.at = object->begin + from;
	size = (uint64_t)(object->end - object->segment.at);
	object->segment.end = object->segment.at + PTL_MIN(ph->p_memsz, size);
	return true;
}

bool ptl_loaded_at(struct ptl_unwind_object *object, uint64_t addr,
		   struct ptl_dwarf *bytes)
{
	uint64_t place = addr - (uintptr_t)object->begin;
	struct ptl_dwarf *segment = &object->segment;
	const ElfW(Phdr) * headers;

	if (place >= (size_t)(object->end - object->begin))
		return false;
	if (addr - (uintptr_t)segment->at >=
	    (uintptr_t)segment->end - (uintptr_t)segment->at) {
		headers = find_headers(object);
		if (!headers)
			*segment =
				(struct ptl_dwarf){object->begin, object->end};
		else if (!find_segment(object, headers, place))
			return false;
	}
	bytes->at = object->begin + place;
	bytes->end = segment->end;
	return true;
}
