/* SPDX-License-Identifier: MIT */
/* Records what patched functions tell; see entry.h.  While this runs the vector
 * registers are the program's. */
#include "preload/patch/entry.h"

#include "preload/patch/told.h"

/* ---- with limits: what is too deep is in no nest, and what may be too short
 * is recorded when it ends ---- */

/* True: nothing more is to be done. */
static bool begin_summed(uint64_t callee, const void *addr, uintptr_t at)
{
	return ptl_limits.depth == PTL_CORE_SUMS &&
	       ptl_core_sum_begin(callee, addr, at);
}

static __attribute__((noinline)) void
begin_limited(uint64_t callee, const void *addr, uintptr_t at)
{
	if (ptl_told_is_off() || begin_summed(callee, addr, at))
		return;
	if (ptl_told_is_too_deep(at))
		return;
	if (!ptl_limits.ticks ||
	    !ptl_core_nest_enter(at, ptl_core_ticks(ptl_limits.clock), NULL, 0))
		ptl_core_call_begin(callee, addr, at, 0);
}

/* Is the end to be recorded, of what is in progress since then?  0: that is not
 * known. */
static bool is_wanted(uintptr_t at, uint64_t *since)
{
	if (ptl_limits.depth == PTL_CORE_SUMS && ptl_core_sum_end(at))
		return false;
	*since = ptl_core_nest_leave(at);
	if (ptl_told_is_off())
		return false;
	if (ptl_limits.depth == PTL_CORE_SUMS)
		return *since != 0 || !ptl_core_nest_works();
	if (!*since)
		return !ptl_told_is_too_deep(at);
	return !ptl_limits.ticks ||
	       ptl_core_ticks(ptl_limits.clock) - *since >= ptl_limits.ticks;
}

static __attribute__((noinline)) void
end_limited(uint64_t callee, uint64_t value, const void *addr, uintptr_t at)
{
	uint64_t words[] = {callee, value, 0};

	if (is_wanted(at, &words[2]))
		ptl_core_call_typed(PTL_EV_CALL_RETURN, words, sizeof(words),
				    addr);
}

static __attribute__((noinline)) void
leave_limited(uint64_t callee, const void *addr, uintptr_t at)
{
	uint64_t words[] = {callee, 0};

	if (is_wanted(at, &words[1]))
		ptl_core_call_typed(PTL_EV_CALL_LEFT, words, sizeof(words),
				    addr);
}

/* ---- told by the code of an arena ----------------------------------- */

void ptl_told_begin(uint64_t word, const uint64_t *ret)
{
	if (ptl_told_has_limits())
		begin_limited(ptl_told_callee(word), ptl_told_caller(ret),
			      ptl_call_place(ret));
	else
		ptl_core_call_begin(ptl_told_callee(word), ptl_told_caller(ret),
				    ptl_call_place(ret), 0);
}

void ptl_told_loop(uint64_t word, const uint64_t *ret)
{
	/* A call that has begun comes by again. */
	uintptr_t at = ptl_call_place(ret);

	if (ptl_told_has_limits() && ptl_limits.depth == PTL_CORE_SUMS &&
	    ptl_core_sum_is_newest(at))
		return;
	if (!ptl_core_nest_is_newest(at))
		ptl_told_begin(word, ret);
}

/* When it ends is not known: it is in no nest, and takes no time. */
void ptl_told_only(uint64_t word, const uint64_t *ret)
{
	if (ptl_told_has_limits() &&
	    (begin_summed(ptl_told_callee(word), ptl_told_caller(ret), 0) ||
	     ptl_limits.ticks || ptl_told_is_too_deep(ptl_call_place(ret))))
		return;
	ptl_core_call_enter(ptl_told_callee(word), ptl_told_caller(ret), 0);
}

void ptl_told_end(uint64_t word, const uint64_t *ret, uint64_t value)
{
	if (ptl_told_has_limits())
		end_limited(ptl_told_callee(word), value, ptl_told_caller(ret),
			    ptl_call_place(ret));
	else
		ptl_core_call_end(PTL_EV_CALL_RETURN, ptl_told_callee(word),
				  value, ptl_told_caller(ret),
				  ptl_call_place(ret));
}

void ptl_told_left(uint64_t word, const uint64_t *ret)
{
	if (ptl_told_has_limits())
		leave_limited(ptl_told_callee(word), ptl_told_caller(ret),
			      ptl_call_place(ret));
	else
		ptl_core_call_left(ptl_told_callee(word), ptl_told_caller(ret),
				   ptl_call_place(ret));
}
