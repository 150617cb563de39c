/* SPDX-License-Identifier: MIT */
/*
 * The slices of a timeline as a page reads them: by track and lane, and several
 * times, each more coarsely than the last, so that what is drawn depends on how
 * many points there are, not on how many events.
 *
 * Sections of the page's data (pack.h), all numbers as LEB128; tracks, and in
 * them lanes, and in them slices, come in order:
 *   2  of each track: how many lanes it has, and how many slices each has
 *   3  of each slice: its begin, less the end of the one before it in the lane;
 *      in lane 63, where they may overlap, less its begin
 *   4  how long it took, and one; 0 if that is not known
 *   5  how many events it stands for, times 4, and its flags
 *   6  how much longer it is than what it took
 *   7  the number of its name
 *   8  that of its text
 *   9  and of its stack
 *  10  the text's numbers, signed (the lowest bit): decimal ones less the one
 *      before of the same sign in the same text; of an address how long ago it
 *      came last, from 1 on, among the different ones that came last, or 0 and
 *      how far it is from the last one
 *  11  of each stack: that of its caller, and the number of its name
 *  16  and on: a level each, the finest first: its quantum, then of each run of
 *      slices that are drawn as one how many they are, and, if more than one,
 *      which of them is the longest
 */
#ifndef PTL_TOOLS_PAGE_PYRAMID_H
#define PTL_TOOLS_PAGE_PYRAMID_H

#include "tools/page/pack.h"
#include "tools/page/timeline.h"

#define PTL_PYRAMID_RECENT 64

/* wall: how long the timeline is, ns. */
void ptl_pyramid_write(struct ptl_pack *pack, struct ptl_timeline *timeline,
		       int64_t wall);

#endif
