/* SPDX-License-Identifier: MIT */
/* Which slots of an object to hook, and where they lead. */
#ifndef PTL_PRELOAD_HOOK_GOTSLOT_H
#define PTL_PRELOAD_HOOK_GOTSLOT_H

#include "preload/libc/image.h"

#if defined(__x86_64__)
#define PTL_JUMP_SLOT R_X86_64_JUMP_SLOT
#elif defined(__i386__)
#define PTL_JUMP_SLOT R_386_JMP_SLOT
#elif defined(__aarch64__)
#define PTL_JUMP_SLOT R_AARCH64_JUMP_SLOT
#endif

/* A relocation of a slot that calls go through. */
struct ptl_gotslot {
	uint64_t *at;
	const char *name;
	uint64_t lazy;	  /* its contents if it is not bound yet, or 0 */
	uint64_t known;	  /* the function that it leads to */
	uint32_t library; /* the library of that */
	bool returns;	  /* the function's returns are wanted, too */
};

/* A slot of which no more is known. */
struct ptl_slotted {
	uint64_t *at;
	const char *name;
	const ElfW(Sym) * sym;
	bool is_plt;
};

/* Finds the slot of relocation i of the object; those of its PLT come first.
 * False: it is not for a function. */
bool ptl_gotslot_find(const struct ptl_image *image,
		      const struct dl_phdr_info *info, size_t i,
		      struct ptl_slotted *slot);

/*
 * Reads relocation i of the object; those of its PLT come first.  False: it is
 * not for a slot that matches a pattern. counts: count it in these patterns.
 * With the loader's lock held.
 */
bool ptl_gotslot_read(const struct ptl_image *image,
		      const struct dl_phdr_info *info, size_t i, bool counts,
		      struct ptl_gotslot *slot);

#endif
