/* SPDX-License-Identifier: MIT */
/*
 * Arenas (core/format/patches.h) in this process: memory near an object, with
 * the code that its patches lead to.  Once made, one is there for good, and is
 * never written again.
 */
#ifndef PTL_PRELOAD_PATCH_ARENA_H
#define PTL_PRELOAD_PATCH_ARENA_H

#include "preload/libc/image.h"
#include "preload/patch/block.h"

struct ptl_arena {
	uintptr_t begin, end;
	uintptr_t object, object_end;
	uintptr_t frames;  /* .eh_frame_hdr of its code */
	uintptr_t islands; /* and of the islands in the object */
	uint32_t nr_islands;
};

/* For an object.  NULL: not made, *why says why. */
const struct ptl_arena *ptl_arena_make(const struct ptl_patch_view *block,
				       const struct ptl_image *image,
				       const char **why);

/* Before: where patched system calls lead to. */
void ptl_arena_calls(void (*entry)(void));

/* The first one of the object that begins there, or NULL. */
const struct ptl_arena *ptl_arena_of(uintptr_t object);

/* The one that has the address, or NULL. */
const struct ptl_arena *ptl_arena_at(uintptr_t address);

/* The one that has rules for the address, which is an island in its object. */
const struct ptl_arena *ptl_arena_of_island(uintptr_t address);

#endif
