/* SPDX-License-Identifier: MIT */
/*
 * The slices of a timeline as a page reads them.  It makes several levels of
 * them, each more coarsely than the last, so that what is drawn depends on how
 * many points there are, not on how many events.
 *
 * Sections of the page's data (pack.h), of a second log 32 higher; tracks, and
 * in them lanes, and in them slices, come in order:
 *   2  of each track: how many lanes it has, and how many slices each has
 *   3  of each slice: its begin, less the end of the one before it in the lane;
 *      in lane 63, where they may overlap, less its begin
 *   4  how long it took, and one; 0 if that is not known
 *   5  how many events it stands for, times 4, and its flags
 *   6  how much longer it is than what it took: of those that have no end, in
 *      ns; and of those that stand for several events, if the header has a
 *      quantum as m + 16 s, m from 16 to 31, which is m << s, or less than 16
 *      as it is; the others are not
 *   7  0: its name is that of the slice before of the same text; or its number
 *      and one
 *   8  the number of its text
 *   9  0: its stack is the one that was last in the cell, of 65536, which its
 *      text and the stack of the slice before say; or its number and one
 *  10  of the texts' numbers those that are addresses: how long ago it came
 *      last, from 1 on, among the different ones that came last, or 0
 *  11  of each stack: its number less that of its caller
 *  12  addresses that did not come lately, less the last one, signed: the
 *      lowest bit says that it is negative, and one more
 *  13  the texts' other numbers, less the one before of the same sign in the
 *      same text, signed
 *  14  of each stack: the number of its name
 *  15  of each slice: the number of the file that it is about, or 0
 *  16  of each slice: the number of its contexts, or 0; of a span those at its
 *      end; nothing, if no slice has any
 */
#ifndef PTL_TOOLS_PAGE_PYRAMID_H
#define PTL_TOOLS_PAGE_PYRAMID_H

#include "tools/page/pack.h"
#include "tools/page/timeline.h"

#define PTL_PYRAMID_RECENT 64
#define PTL_PYRAMID_STEPS 16
#define PTL_PYRAMID_CELLS 65536

void ptl_pyramid_write(struct ptl_pack *pack, struct ptl_timeline *timeline);

#endif
