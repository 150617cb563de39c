/* SPDX-License-Identifier: MIT */
/*
 * What a timeline draws: slices, each of one track, from a time to another.
 * There is room for some; when they are more, neighbours that are short become
 * one, which says how many events it stands for and shows the longest: of each
 * thread where it does most (slices_thin.h).
 */
#ifndef PTL_TOOLS_PAGE_SLICES_H
#define PTL_TOOLS_PAGE_SLICES_H

#include <stddef.h>
#include <stdint.h>

#include "tools/page/detail.h"
#include "tools/page/slice.h"

/* So many are kept, and so many bytes of numbers. */
#define PTL_SLICES_MAX (UINT32_C(1) << 22)
#define PTL_SLICES_NUMBERS (UINT32_C(32) << 20)

struct ptl_slices {
	struct ptl_slice *slice;
	size_t nr, room, max, nr_sorted;
	unsigned int times; /* as many, of both, as said above; 0: once */
	unsigned char *numbers;
	size_t numbers_used, numbers_room;
	int64_t quantum; /* what is no shorter is whole; 0: all is, but for ends
			  */

	/* How many calls of a track that began at that time, or before it, have
	 * not ended, and have no slice yet. */
	unsigned int (*open)(void *of, uint32_t track, int64_t at);
	void *of;
};

void ptl_slices_free(struct ptl_slices *slices);

/* slice->numbers is set from the detail. */
void ptl_slices_add(struct ptl_slices *slices, struct ptl_slice *slice,
		    const struct ptl_detail *detail);

/* The numbers of a slice. */
unsigned int ptl_slices_numbers(const struct ptl_slices *slices,
				const struct ptl_slice *slice,
				int64_t number[PTL_DETAIL_NUMBERS]);

/* Makes them fewer than that. */
void ptl_slices_merge(struct ptl_slices *slices, size_t max);

/* Sorts them by track and begin, and says in which lane each is: no two of a
 * lane overlap, but in the last one. */
void ptl_slices_place(struct ptl_slices *slices);

#endif
