/* SPDX-License-Identifier: MIT */
/* Makes the plan of a file: functions, sweep, entries, exits, islands. */
#ifndef PTL_TOOLS_PLAN_MAKE_H
#define PTL_TOOLS_PLAN_MAKE_H

#include "tools/plan/plan.h"

/* NULL: it is made; or why it cannot be, in words. */
const char *ptl_plan_make(struct ptl_plan *plan, const char *path);

/* Makes the plan of an open file, which is kept; it is loaded by that name. */
const char *ptl_plan_make_file(struct ptl_plan *plan, int file,
			       const char *name);

/* Makes the plan of the system calls of a file, and of no functions: of an open
 * one, or -1. */
const char *ptl_plan_make_calls(struct ptl_plan *plan, int file,
				const char *path);

/* Makes the plan of a file in memory, which must stay. */
const char *ptl_plan_make_bytes(struct ptl_plan *plan, void *bytes,
				size_t size);

/* Names of functions, too, may be gone then. */
void ptl_plan_free(struct ptl_plan *plan);

#endif
