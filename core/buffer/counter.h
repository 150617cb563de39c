/* SPDX-License-Identifier: MIT */
/*
 * Threads that may not read the CPU's counter: PR_SET_TSC forbids it, and so
 * does seccomp's strict mode, to a thread and to those that it makes.  In
 * streams with that clock they record nothing, never take the fast path, and
 * count what is lost.
 */
#ifndef PTL_CORE_BUFFER_COUNTER_H
#define PTL_CORE_BUFFER_COUNTER_H

#include "core/buffer/slot.h"
#include "core/sys/clock.h"

/* May the caller not read this clock of a stream?  Nor the kernel's, where that
 * cannot be asked: what reads it without asking reads the counter. */
PTL_INLINE bool ptl_counter_denied(uint32_t clock)
{
	return PTL_UNLIKELY(ptl_thread.no_counter) &&
	       (clock == PTL_CLOCK_TSC || !ptl_slots_may_call());
}

/* The time by that clock, as well as it can be known. */
PTL_INLINE uint64_t ptl_counter_now(uint32_t clock)
{
	if (!ptl_counter_denied(clock))
		return ptl_clock_now(clock);
	return clock == PTL_CLOCK_TSC ? ptl_clock_guess(ptl_slots_may_call()) :
					ptl_clock_guess_ns();
}

#endif
