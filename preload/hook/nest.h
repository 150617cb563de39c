/* SPDX-License-Identifier: MIT */
/*
 * Which calls of hooked functions a thread is in, where some are not to be
 * recorded: those that return soon, or are nested too deeply.  A call is known
 * by where its return address is on the stack; one that is not known is
 * recorded.  So it does no harm that functions are also left by jumps and
 * exceptions, and that stacks are changed.
 */
#ifndef PTL_PRELOAD_HOOK_NEST_H
#define PTL_PRELOAD_HOOK_NEST_H

#include "core/core.h"

/* Once set, by the constructor, they stay. */
extern struct ptl_core_limits ptl_limits __attribute__((visibility("hidden")));

PTL_INLINE bool ptl_nest_limits(void)
{
	return PTL_UNLIKELY(ptl_limits.ticks | ptl_limits.depth);
}

/* Is a call there nested too deeply? */
bool ptl_nest_is_deep(uintptr_t at);

/* A call begins; with what is to be recorded of it when it ends.  False: there
 * is no room for it. */
bool ptl_nest_enter(uintptr_t at, const uint64_t *words, size_t nr);

/* It ends: since when it was in progress, and what was kept of it, which stays
 * until the next enter.  0: it is not known. */
uint64_t ptl_nest_leave(uintptr_t at, const uint64_t **words, size_t *nr);

#endif
