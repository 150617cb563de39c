/* SPDX-License-Identifier: MIT */
/* Writes over the instructions of an object. */
#ifndef PTL_PRELOAD_PATCH_WRITE_H
#define PTL_PRELOAD_PATCH_WRITE_H

#include "preload/patch/arena.h"

#include <link.h>

/*
 * Writes all patches of a block, the places of which have been checked, so that
 * they lead to the arena.  No thread may run in the object.  NULL: done; or why
 * not, and nothing was written.
 */
const char *ptl_write_patches(const struct ptl_patch_view *block,
			      const struct dl_phdr_info *info,
			      const struct ptl_arena *arena);

/* A few bytes of one page. */
bool ptl_write_code(uintptr_t at, const void *bytes, size_t size);

#endif
