/* SPDX-License-Identifier: MIT */
/*
 * What is loaded where, as dl:map events {base, size, path, build_id}: what a
 * reader of the trace needs to name addresses.  dl_iterate_phdr() takes the
 * loader's lock, so this is for the constructor only, which has it already.
 */
#include "preload/hooks.h"

#include "core/core.h"
#include "core/str.h"

#include "preload/payload.h"

#include <elf.h>
#include <link.h>
#include <sys/auxv.h>

#define MAX_BUILD_ID 64

struct build_id {
	const unsigned char *bytes;
	size_t size;
};

/* In the notes at [at, end), which are in the image's own mapping. */
static struct build_id find_build_id(uintptr_t at, uintptr_t end)
{
	struct build_id none = {NULL, 0};

	while (end - at >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const void *)at;
		size_t name_size = (note->n_namesz + (size_t)3) & ~(size_t)3;
		size_t desc_size = (note->n_descsz + (size_t)3) & ~(size_t)3;
		size_t room = end - at - sizeof(*note);
		const unsigned char *name = (const void *)(note + 1);

		if (name_size > room || desc_size > room - name_size)
			return none;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
		    ptl_strpre((const char *)name, "GNU"))
			return (struct build_id){
				name + name_size,
				PTL_MIN(note->n_descsz, (size_t)MAX_BUILD_ID),
			};
		at += sizeof(*note) + name_size + desc_size;
	}
	return none;
}

struct visitor {
	const char *exe;
	struct ptl_payload payload; /* empty */
};

static void record(const struct dl_phdr_info *info,
		   const struct visitor *visitor, uintptr_t low, uintptr_t high,
		   struct build_id id)
{
	const char *path = info->dlpi_name;
	struct ptl_payload payload = visitor->payload;

	payload.room -= 1 + MAX_BUILD_ID;
	ptl_put_int(&payload, (int64_t)info->dlpi_addr);
	ptl_put_int(&payload, (int64_t)(high - low));
	/* The program itself has no name here. */
	ptl_put_string(&payload, path && path[0] ? path : visitor->exe);
	payload.room = visitor->payload.room;
	ptl_put_byte(&payload, (unsigned char)id.size);
	for (size_t i = 0; i < id.size; i++)
		ptl_put_byte(&payload, id.bytes[i]);
	ptl_core_event(PTL_EV_DL_MAP, payload.data, payload.size, NULL);
}

static int visit(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct build_id id = {NULL, 0};
	uintptr_t low = UINTPTR_MAX, high = 0;

	(void)size;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + ph->p_vaddr;

		if (ph->p_type == PT_LOAD) {
			low = PTL_MIN(low, at);
			high = PTL_MAX(high, at + ph->p_memsz);
		} else if (ph->p_type == PT_NOTE && !id.bytes) {
			id = find_build_id(at, at + ph->p_memsz);
		}
	}
	/* The vdso is the kernel's, and has no file. */
	if (low < high && low != getauxval(AT_SYSINFO_EHDR))
		record(info, arg, low, high, id);
	return 0;
}

void ptl_maps_record(const char *exe, struct ptl_payload payload)
{
	struct visitor arg = {exe, payload};

	if (ptl_core_wants(PTL_EV_DL_MAP))
		dl_iterate_phdr(visit, &arg);
}
