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

static __attribute__((noinline)) void begin_limited(uint64_t callee,
						    const uint64_t *ret)
{
	const void *addr = ptl_told_caller(ret);
	uintptr_t at = ptl_call_place(ret);

	if (ptl_told_is_off())
		return;
	if (ptl_limits.depth == PTL_CORE_SUMS) {
		ptl_core_sum_call(callee, addr, at);
		return;
	}
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

static bool end_summed(uintptr_t at)
{
	return ptl_limits.depth == PTL_CORE_SUMS && ptl_core_sum_end(at);
}

static __attribute__((noinline)) void
end_limited(uint64_t callee, const uint64_t *ret, uint64_t value)
{
	uint64_t words[] = {callee, value, 0};

	if (is_wanted(ptl_call_place(ret), &words[2]))
		ptl_core_call_typed(PTL_EV_CALL_RETURN, words, sizeof(words),
				    ptl_told_caller(ret));
}

static __attribute__((noinline)) void
leave_limited(uint64_t callee, const void *addr, uintptr_t at)
{
	uint64_t words[] = {callee, 0};

	if (!end_summed(at) && is_wanted(at, &words[1]))
		ptl_core_call_typed(PTL_EV_CALL_LEFT, words, sizeof(words),
				    addr);
}

static_assert(offsetof(struct ptl_core_limits, depth) == 8, "entry.S");

/* ---- told by the code of an arena ----------------------------------- */

void ptl_told_begin(uint64_t callee, const uint64_t *ret)
{
	if (ptl_told_has_limits())
		begin_limited(callee, ret);
	else
		ptl_core_call_begin(callee, ptl_told_caller(ret),
				    ptl_call_place(ret), 0);
}

void ptl_told_loop(uint64_t callee, const uint64_t *ret)
{
	/* A call that has begun comes by again. */
	uintptr_t at = ptl_call_place(ret);

	if (ptl_told_has_limits() && ptl_limits.depth == PTL_CORE_SUMS &&
	    ptl_core_sum_is_newest(at))
		return;
	if (!ptl_core_nest_is_newest(at))
		ptl_told_begin(callee, ret);
}

/* When it ends is not known: it is in no nest, and takes no time. */
void ptl_told_only(uint64_t callee, const uint64_t *ret)
{
	if (ptl_told_has_limits() &&
	    (begin_summed(callee, ptl_told_caller(ret), 0) ||
	     ptl_limits.ticks || ptl_told_is_too_deep(ptl_call_place(ret))))
		return;
	ptl_core_call_enter(callee, ptl_told_caller(ret), 0);
}

void ptl_told_end(uint64_t callee, const uint64_t *ret, uint64_t value)
{
	if (!ptl_told_has_limits())
		ptl_core_call_end(PTL_EV_CALL_RETURN, callee, value,
				  ptl_told_caller(ret), ptl_call_place(ret));
	else if (!end_summed(ptl_call_place(ret)))
		end_limited(callee, ret, value);
}

void ptl_told_left(uint64_t callee, const uint64_t *ret)
{
	if (ptl_told_has_limits())
		leave_limited(callee, ptl_told_caller(ret),
			      ptl_call_place(ret));
	else
		ptl_core_call_left(callee, ptl_told_caller(ret),
				   ptl_call_place(ret));
}
