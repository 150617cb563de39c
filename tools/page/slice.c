/* SPDX-License-Identifier: MIT */
/* A slice of a timeline; see slice.h. */
#include "tools/page/slice.h"

int ptl_slice_compare(const void *left, const void *right)
{
	const struct ptl_slice *a = left, *b = right;

	if (a->track != b->track)
		return a->track < b->track ? -1 : 1;
	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return a->end > b->end ? -1 : a->end < b->end;
}

unsigned int ptl_slice_lane(struct ptl_slice_nest *nest,
			    const struct ptl_slice *slice)
{
	if (nest->track != slice->track)
		nest->nr = 0;
	nest->track = slice->track;
	while (nest->nr > 0 && nest->end[nest->nr - 1] <= slice->begin)
		nest->nr--;
	if (nest->nr == PTL_SLICES_LANES)
		return PTL_SLICES_LANES - 1;
	/* What takes no time contains nothing. */
	if (slice->end > slice->begin) {
		nest->end[nest->nr++] = slice->end;
		return nest->nr - 1;
	}
	return nest->nr < PTL_SLICES_LANES ? nest->nr : PTL_SLICES_LANES - 1;
}
