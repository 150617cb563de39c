/* SPDX-License-Identifier: MIT */
/* Which slots of an object are to be hooked, and where they lead to. */
#ifndef PTL_PRELOAD_HOOK_GOTSLOT_H
#define PTL_PRELOAD_HOOK_GOTSLOT_H

#include "preload/libc/image.h"

#if defined(__x86_64__)
#define PTL_JUMP_SLOT R_X86_64_JUMP_SLOT
#elif defined(__aarch64__)
#define PTL_JUMP_SLOT R_AARCH64_JUMP_SLOT
#endif

/* A relocation of a slot that calls go through. */
struct ptl_gotslot {
	uint64_t *at;
	const char *name;
	uint64_t lazy;	  /* what is there, if it is not bound yet, or 0 */
	uint64_t known;	  /* what it leads to */
	uint32_t library; /* of that */
	bool returns;	  /* are wanted, too */
};

/*
 * Reads relocation i of the object's; those of its PLT come first.  False: it
 * is none of a slot that somebody wants.  Counts: in the patterns that want it.
 * Under the loader's lock.
 */
bool ptl_gotslot_read(const struct ptl_image *image,
		      const struct dl_phdr_info *info, size_t i, bool counts,
		      struct ptl_gotslot *slot);

#endif
