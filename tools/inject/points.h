/* SPDX-License-Identifier: MIT */
/*
 * Where threads that are stopped go on: at their next instruction, at that of a
 * call that is made again, and where handlers of signals return to.  Calls
 * return behind what is moved with them (tools/plan/), so those do not matter.
 */
#ifndef PTL_TOOLS_INJECT_POINTS_H
#define PTL_TOOLS_INJECT_POINTS_H

#include "tools/inject/others.h"

/* Finds them; false: the memory cannot be read. */
bool ptl_points_find(const struct ptl_others *others);

/* Is one at `from', or behind it and before `to'? */
bool ptl_points_between(uint64_t from, uint64_t to);

#endif
