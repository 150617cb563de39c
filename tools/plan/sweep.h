/* SPDX-License-Identifier: MIT */
/* Looks at all code of a file, and finds all that its instructions, its tables
 * and its pointers lead to: the marks of struct ptl_code. */
#ifndef PTL_TOOLS_PLAN_SWEEP_H
#define PTL_TOOLS_PLAN_SWEEP_H

#include "tools/plan/plan.h"

/* Needs the functions.  False: there are more tables than any honest file has.
 */
bool ptl_sweep(struct ptl_plan *plan);

#endif
