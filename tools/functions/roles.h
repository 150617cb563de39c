/* SPDX-License-Identifier: MIT */
/* Functions that count as malloc() and its like (ptrace-run --allocator). */
#ifndef PTL_TOOLS_FUNCTIONS_ROLES_H
#define PTL_TOOLS_FUNCTIONS_ROLES_H

#include "tools/functions/select.h"

/* Of a function that fits: the role of the pattern, if that has one; before it
 * is moved. */
void ptl_roles_give(const struct ptl_select *select,
		    struct ptl_plan_function *function);

/* Of one that was moved: something that it allocates will not be seen, if it
 * ends by a jump to another function, which is told. */
void ptl_roles_tell(struct ptl_plan *plan,
		    const struct ptl_plan_function *function);

#endif
