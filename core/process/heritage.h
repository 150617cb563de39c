/* SPDX-License-Identifier: MIT */
/*
 * What a fork child gets of its parent's entry.  It may look only after the
 * parent has ended, when the entry is another process's: so its parent makes
 * a copy before the fork, on its stack, of which the child has one, too; and
 * fills in an entry for it, so that a child that is killed before it has run is
 * known all the same.
 */
#ifndef PTL_CORE_PROCESS_HERITAGE_H
#define PTL_CORE_PROCESS_HERITAGE_H

#include "core/format/registry.h"

struct ptl_heritage {
	/* The streams in force for the parent, inherited or not; its image. */
	struct ptl_shm_entry entry;
	/* CLAIMED for the child, with that key; NULL: there is none. */
	struct ptl_shm_entry *expected;
	uint64_t key;
	uint32_t since;		    /* how many processes had joined before */
	struct ptl_heritage *outer; /* a handler may fork, too */
};

/* Before the fork; also marks the parent as one that has children. */
void ptl_heritage_leave(struct ptl_heritage *heritage);

/* In the child of a fork that was not foreseen: made of what is still there. */
void ptl_heritage_find(struct ptl_heritage *heritage);

/* The streams of it that are mapped, a bit each. */
uint64_t ptl_heritage_mapped(const struct ptl_heritage *heritage);

#endif
