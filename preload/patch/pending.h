/* SPDX-License-Identifier: MIT */
/*
 * Patches of a program that runs already: threads may be in its functions, so
 * nothing is written here.  It is made ready for a process that stops all of
 * them (tools/inject/).
 */
#ifndef PTL_PRELOAD_PATCH_PENDING_H
#define PTL_PRELOAD_PATCH_PENDING_H

#include "preload/patch/arena.h"

#include <link.h>

/* Forgets those of the last time. */
void ptl_pending_begin(void);

/* Patches of a block, the places of which have been checked.  NULL: they are
 * ready; or why not. */
const char *ptl_pending_add(const struct ptl_patch_view *block,
			    const struct dl_phdr_info *info,
			    const struct ptl_arena *arena);

/* A jump in the loader, over these bytes. */
bool ptl_pending_add_loader(const unsigned char *at,
			    const unsigned char jump[PTL_PATCH_LONG]);

/* The batches that are ready. */
const struct ptl_pending_batch *ptl_pending_all(uint64_t *nr);

#endif
