/* SPDX-License-Identifier: MIT */
/*
 * Unwinding tables are read within the segment that they are in: what they say
 * leads neither into the next one nor to where nothing is mapped.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dl_iterate_phdr */
#endif
#include "core/unwind/cfi.h"
#include "t/lib/tap.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096

#if defined(__x86_64__)

/* ---- of what is loaded --------------------------------------------- */

static int nr_objects, nr_wrong;

static bool is_right(struct ptl_unwind_object object, uint64_t addr,
		     uint64_t end)
{
	struct ptl_dwarf bytes;
	bool is_there = ptl_loaded_at(&object, addr, &bytes);

	if (is_there != (end != 0))
		return false;
	return !is_there ||
	       ((uintptr_t)bytes.at == addr && (uintptr_t)bytes.end == end);
}

/* The first and the last byte of each segment, and the one behind it. */
static int compare(struct dl_phdr_info *info, size_t size, void *arg)
{
	uint64_t high = 0, low = UINT64_MAX;
	struct ptl_unwind_object object = {NULL};

	(void)size, (void)arg;
	nr_objects++;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const Elf64_Phdr *ph = &info->dlpi_phdr[i];

		if (ph->p_type != PT_LOAD)
			continue;
		low = PTL_MIN(low, ph->p_vaddr & ~UINT64_C(0xfff));
		high = PTL_MAX(high, ph->p_vaddr + ph->p_memsz);
	}
	object.begin = (void *)(uintptr_t)(info->dlpi_addr + low);
	object.end = (void *)(uintptr_t)(info->dlpi_addr + high);
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const Elf64_Phdr *ph = &info->dlpi_phdr[i];
		uint64_t begin = info->dlpi_addr + ph->p_vaddr,
			 end = begin + ph->p_memsz;

		if (ph->p_type != PT_LOAD || ph->p_memsz == 0 ||
		    !(ph->p_flags & PF_R))
			continue;
		nr_wrong += !is_right(object, begin, end) ||
			    !is_right(object, end - 1, end);
		/* Others follow at the beginning of a page. */
		if (end % PAGE)
			nr_wrong += !is_right(object, end, 0);
	}
	return 0;
}

/* ---- of an object that lies ----------------------------------------- */

/* Headers, a page where nothing is, the tables in half of the next page, and
 * a segment that cannot be read. */
static unsigned char *bytes;
static struct ptl_unwind_object object;

#define TABLE (2 * PAGE)
#define CIE (TABLE + 64)
#define FDE (TABLE + 128)
#define SEGMENT_END (TABLE + PAGE / 2)

static void put(uint32_t at, const void *data, size_t size)
{
	memcpy(bytes + at, data, size);
}

static void put_word(uint32_t at, uint32_t word)
{
	put(at, &word, sizeof(word));
}

static void make(void)
{
	static const Elf64_Phdr phs[] = {
		{.p_type = PT_NOTE, .p_flags = PF_R, .p_memsz = 4 * PAGE},
		{.p_type = PT_LOAD, .p_flags = PF_R, .p_memsz = PAGE},
		{
			.p_type = PT_LOAD,
			.p_flags = PF_R,
			.p_vaddr = TABLE,
			.p_memsz = PAGE / 2,
		},
		{
			.p_type = PT_LOAD,
			.p_flags = PF_X,
			.p_vaddr = 3 * PAGE,
			.p_memsz = PAGE,
		},
	};
	Elf64_Ehdr head = {
		.e_ident = ELFMAG "\2",
		.e_phoff = sizeof(head),
		.e_phentsize = sizeof(phs[0]),
		.e_phnum = PTL_ARRAY_SIZE(phs),
	};

	put(0, &head, sizeof(head));
	put(sizeof(head), phs, sizeof(phs));
}

/* Code is at 0 to 100 from the table on. */
static void make_tables(void)
{
	static const unsigned char cie[] = {1,	  'z',	'R',	     0,
					    1,	  0x78, PTL_CFI_RIP, 1,
					    0x1b, 0x0c, PTL_CFI_RSP, 8};

	memset(bytes + TABLE, 0, PAGE / 2);
	put_word(TABLE, 0x3b031b01);
	put_word(TABLE + 8, 1);
	put_word(TABLE + 16, FDE - TABLE);
	put_word(FDE, 28);
	put_word(FDE + 4, FDE + 4 - CIE);
	put_word(FDE + 8, (uint32_t)(TABLE - (FDE + 8)));
	put_word(FDE + 12, 100);
	put_word(CIE, 28);
	put(CIE + 8, cie, sizeof(cie));
}

static bool found(void)
{
	static struct ptl_cfi_row row;
	static struct ptl_cfi_run run;
	uint64_t table = (uintptr_t)bytes + TABLE;

	object.segment = (struct ptl_dwarf){NULL, NULL};
	return ptl_cfi_find(&object, table, table + 50, &row, &run);
}

static void lie(uint32_t at, uint32_t word, const char *what)
{
	make_tables();
	put_word(at, word);
	ok(!found(), "no rules: %s", what);
}

static void test_lies(void)
{
	make_tables();
	ok(found(), "rules are found");
	lie(TABLE + 8, 1u << 30, "a count beyond the segment");
	lie(TABLE + 16, (uint32_t)-PAGE, "an entry where nothing is mapped");
	lie(TABLE + 16, PAGE, "an entry in a segment that cannot be read");
	lie(TABLE + 16, (uint32_t)INT32_MIN, "an entry in front of the object");
	lie(TABLE + 16, PAGE / 2 - 2, "an entry that begins at the end");
	lie(FDE, PAGE / 2 - 128, "an entry that ends beyond the segment");
	lie(FDE, UINT32_MAX - 1, "an entry of 4 GiB");
	lie(FDE + 4, FDE + 4 - PAGE, "what entries have in common there");
	lie(CIE, PAGE, "such a thing that ends beyond the segment");
	make_tables();
	put(CIE + 17, "\x0f\x20", 2);
	ok(!found(), "no rules: an expression that ends beyond its entry");
	make_tables();
	put_word(CIE, 16);
	put(CIE + 17, "\x0f\x00\xff", 3);
	ok(found(), "an expression of no bytes is within it");
	put(CIE + 18, "\x80", 1);
	ok(!found(), "no rules: an expression whose size has no end");
}

/* As the loader tells the one segment with code of a main program that has
 * gaps, and of another object. */
static int part(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct ptl_unwind_object whole = {NULL};
	uint64_t table = 0;
	bool is_found, is_part;
	int *nr = arg;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const Elf64_Phdr *ph = &info->dlpi_phdr[i];

		if (ph->p_type == PT_GNU_EH_FRAME)
			table = info->dlpi_addr + ph->p_vaddr;
		if (ph->p_type != PT_LOAD || !(ph->p_flags & PF_X))
			continue;
		whole.begin =
			(void *)(uintptr_t)(info->dlpi_addr + ph->p_vaddr);
		whole.end = whole.begin + ph->p_memsz;
	}
	is_part = table - (uintptr_t)whole.begin >=
		  (size_t)(whole.end - whole.begin);
	is_found = ptl_loaded_whole(&whole, table);
	if (*nr == 0)
		ok(is_found && table - (uintptr_t)whole.begin <
				       (size_t)(whole.end - whole.begin),
		   "all of the main program is found by a part");
	else if (is_part)
		ok(!is_found, "of another object nothing is known then");
	/* The vDSO has but one. */
	*nr += *nr == 0 || is_part;
	return *nr > 1;
}

int main(void)
{
	int nr = 0;

	plan(17);
	ptl_loaded_init();
	dl_iterate_phdr(part, &nr);
	dl_iterate_phdr(compare, NULL);
	ok(nr_objects > 2, "%d objects are loaded", nr_objects);
	is_int(nr_wrong, 0, "segments end where their headers say");
	bytes = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (bytes == MAP_FAILED)
		return 1;
	make();
	mprotect(bytes + PAGE, PAGE, PROT_NONE);
	mprotect(bytes + 3 * PAGE, PAGE, PROT_NONE);
	object = (struct ptl_unwind_object){.begin = bytes,
					    .end = bytes + 4 * PAGE};
	test_lies();
	return done();
}

#else

int main(void)
{
	skip_all("stacks are unwound by tables on x86-64 only");
}

#endif
