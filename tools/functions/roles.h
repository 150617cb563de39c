/* SPDX-License-Identifier: MIT */
/* Functions that count as malloc() and its like (ptrace-run --allocator). */
#ifndef PTL_TOOLS_FUNCTIONS_ROLES_H
#define PTL_TOOLS_FUNCTIONS_ROLES_H

#include "tools/functions/select.h"

/* Of a function that fits: the role of the pattern, if that has one; before it
 * is moved. */
static inline void ptl_roles_give(const struct ptl_select *select,
				  struct ptl_plan_function *function)
{
	if (select->role.kind != PTL_ROLE_NONE)
		function->role = select->role;
}

#endif
