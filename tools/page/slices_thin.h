/* SPDX-License-Identifier: MIT */
/*
 * Fewer slices: neighbours of a lane become one, where they are short.  What is
 * short is asked of each thread in each part of the time for itself, so that
 * what is rare stays as it is beside what is frequent: none of these places
 * keeps more slices than a number that is the same for all, and as large as
 * there is room for.  In a place neighbours become one that begin in the same
 * quantum, and are shorter than it, the least power of two that does it.
 */
#ifndef PTL_TOOLS_PAGE_SLICES_THIN_H
#define PTL_TOOLS_PAGE_SLICES_THIN_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/page/slice.h"

/* All time has so many parts, or half of them. */
#define PTL_SLICES_PARTS 256

struct ptl_thinning {
	struct ptl_slice *slice; /* in their order */
	size_t nr;
	int64_t quantum; /* the largest; 0: they are as they were */

	/* How many calls of a track that began at that time, or before it, have
	 * not ended, and have no slice yet.  May be NULL. */
	unsigned int (*open)(void *of, uint32_t track, int64_t at);
	void *of;
};

/* Makes them no more than that; false: they are of too many threads. */
bool ptl_slices_thin(struct ptl_thinning *thinning, size_t max);

#endif
