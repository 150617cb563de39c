/* SPDX-License-Identifier: MIT */
/*
 * Arenas (core/format/patches.h) in this process: memory near an object, with
 * the code that its patches lead to.  Once made, one is there for good, and is
 * never written again.
 */
#ifndef PTL_PRELOAD_PATCH_ARENA_H
#define PTL_PRELOAD_PATCH_ARENA_H

#include "preload/patch/block.h"

struct ptl_arena {
	uintptr_t begin, end;
	uintptr_t object; /* an address in its object */
	uintptr_t frames; /* its .eh_frame_hdr */
};

/* For an object at `base', of the addresses from low to high.  NULL: not made,
 * *why says why. */
const struct ptl_arena *ptl_arena_make(const struct ptl_patch_view *block,
				       uintptr_t base, uintptr_t low,
				       uintptr_t high, const char **why);

/* The one that has the address, or NULL. */
const struct ptl_arena *ptl_arena_at(uintptr_t address);

#endif
