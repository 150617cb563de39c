/* SPDX-License-Identifier: MIT */
/* The functions of a file: by its symbols, wherever they are, and by its
 * frames; and which of them are never patched. */
#ifndef PTL_TOOLS_PLAN_FUNCTIONS_H
#define PTL_TOOLS_PLAN_FUNCTIONS_H

#include "tools/plan/plan.h"

/* Needs the frames.  Addresses in no function that code may begin at, as labels
 * are, become targets. */
void ptl_functions_read(struct ptl_plan *plan, const char *path);

/* Which are parts of others: needs the sweep. */
void ptl_functions_sort_out(struct ptl_plan *plan);

#endif
