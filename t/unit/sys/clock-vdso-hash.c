/* SPDX-License-Identifier: MIT */
/*
 * The kernel's function is found in a vDSO that has either hash table alone;
 * where there is none in it the clock is read by system call.
 */
#include "core/sys/clock.h"
#include "t/lib/tap.h"

#include <elf.h>
#include <string.h>
#include <sys/auxv.h>

#if defined(__x86_64__)
#define NAME "__vdso_clock_gettime"
#else
#define NAME "__kernel_clock_gettime"
#endif
#define OTHER "another"

enum { BY_HASH = 1, BY_GNU_HASH = 2 };

/* As far as it is looked at. */
static struct image {
	Elf64_Ehdr head;
	Elf64_Phdr segment[2];
	Elf64_Dyn dyn[5];
	Elf64_Sym symbol[4];
	char strings[64];
	/* Buckets and symbols; one bucket, what it begins with, the chain. */
	uint32_t hash[2];
	/* Buckets, the first symbol, words of a filter, its shift; the filter;
	 * the buckets; the chain, whose last has its lowest bit set. */
	uint32_t gnu_hash[4 + 2 + 2 + 3];
} image;

static uintptr_t image_at;

/* Libc's, by its other name. */
unsigned long __getauxval(unsigned long type);

unsigned long getauxval(unsigned long type)
{
	return type == AT_SYSINFO_EHDR ? image_at : __getauxval(type);
}

static int forty_two(clockid_t id, struct timespec *ts)
{
	(void)id;
	*ts = (struct timespec){ .tv_sec = 42 };
	return 0;
}

#define AT(member) offsetof(struct image, member)

static void add(unsigned int i, int64_t tag, uint64_t value)
{
	image.dyn[i] = (Elf64_Dyn){ .d_tag = tag, .d_un.d_val = value };
}

/* The function is the last symbol but one. */
static void make(int hashes, const char *name)
{
	image = (struct image){
		.head = { .e_phoff = AT(segment), .e_phnum = 2 },
		.segment = {
			{ .p_type = PT_LOAD },
			{ .p_type = PT_DYNAMIC, .p_offset = AT(dyn) },
		},
		.symbol = {
			[2] = {
				.st_name = 1,
				.st_shndx = 1,
				.st_value = (uintptr_t)forty_two -
					    (uintptr_t)&image,
			},
		},
		.hash = { 1, 4 },
		.gnu_hash = { 2, 1, 1, 6, 0, 0, 1, 3, 2, 5, 7 },
	};
	strcpy(image.strings + 1, name);
	add(0, DT_SYMTAB, AT(symbol));
	add(1, DT_STRTAB, AT(strings));
	if (hashes & BY_HASH)
		add(2, DT_HASH, AT(hash));
	if (hashes & BY_GNU_HASH)
		add(3 - !(hashes & BY_HASH), DT_GNU_HASH, AT(gnu_hash));
	image_at = (uintptr_t)&image;
	ptl_clock_init();
}

static bool is_found(void)
{
	return ptl_clock_ns(CLOCK_MONOTONIC) == UINT64_C(42000000000);
}

int main(void)
{
	plan(8);
	make(BY_HASH | BY_GNU_HASH, NAME);
	ok(is_found(), "both tables");
	make(BY_HASH, NAME);
	ok(is_found(), "the old one alone");
	make(BY_GNU_HASH, NAME);
	ok(is_found(), "the GNU one alone");
	make(BY_GNU_HASH, OTHER);
	ok(!is_found() && ptl_clock_ns(CLOCK_MONOTONIC) > 0,
	   "another function");
	make(0, NAME);
	ok(!is_found(), "no table");
	make(BY_GNU_HASH, NAME);
	image.gnu_hash[6] = image.gnu_hash[7] = 0;
	ptl_clock_init();
	ok(!is_found(), "a table with nothing in it");
	make(BY_GNU_HASH, NAME);
	image.segment[1].p_type = PT_NOTE;
	ptl_clock_init();
	ok(!is_found(), "no dynamic section");
	image_at = 0;
	ptl_clock_init();
	ok(!is_found(), "no vDSO");
	return done();
}
