/* SPDX-License-Identifier: MIT */
/*
 * The call of a function that counts as malloc() which a thread is in.  What
 * such a function does itself to have the memory, by others that count as
 * malloc(), too, is no allocation of the program's: so there is one at most.
 */
#include "core/core.h"
#include "core/record/nest.h"

bool ptl_core_allocating_enter(uintptr_t at,
			       const struct ptl_core_allocation *a,
			       bool (*is_there)(uint64_t at, uint64_t ret))
{
	struct ptl_nest *nest = ptl_nest_mine();
	struct ptl_core_allocation *mine;

	if (!nest)
		return false;
	mine = &nest->allocation;
	/* One that was left by a jump or an exception encloses nothing. */
	if (nest->allocating > at && is_there(nest->allocating, mine->ret))
		return false;
	/* A handler that comes between has the place for itself. */
	nest->allocating = 0;
	PTL_HANDLER_FENCE();
	*mine = *a;
	PTL_HANDLER_FENCE();
	nest->allocating = at;
	return true;
}

bool ptl_core_allocating_is(uintptr_t at)
{
	const struct ptl_nest *nest = ptl_nest_mine();

	return nest && nest->allocating == at;
}

bool ptl_core_allocating_leave(uintptr_t at, struct ptl_core_allocation *a)
{
	struct ptl_nest *nest = ptl_nest_mine();

	if (!nest || nest->allocating != at)
		return false;
	*a = nest->allocation;
	PTL_HANDLER_FENCE();
	nest->allocating = 0;
	return true;
}
