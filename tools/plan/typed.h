/* SPDX-License-Identifier: MIT */
/* Prototypes of functions of a plan, from debug information. */
#ifndef PTL_TOOLS_PLAN_TYPED_H
#define PTL_TOOLS_PLAN_TYPED_H

#include "tools/plan/plan.h"

/* Finds those of the functions that are wanted, by their addresses; path: of
 * the plan's file. */
void ptl_typed_find(struct ptl_plan *plan, const bool *is_wanted,
		    const char *path);

#endif
