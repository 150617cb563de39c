/* SPDX-License-Identifier: MIT */
/*
 * Records what patched functions tell, with arguments and results, of those
 * whose prototype is known; told.c has the others.  While this runs the vector
 * registers are the program's.
 */
#include "preload/patch/entry.h"

#include "preload/patch/known.h"
#include "preload/patch/told.h"

PTL_INLINE struct ptl_known *known_of(uintptr_t mark)
{
	return *(struct ptl_known *const *)(ptl_told_words(mark) + 1);
}

/* Before the first call: of which types its data are. */
static __attribute__((noinline, cold)) void announce(struct ptl_known *known)
{
	ptl_core_event(PTL_EV_CALL_SYMBOL, known->text, known->text_size, NULL);
	/* Another thread that sees it has no need to record it.  Pairs with
	 * announced_of(). */
	atomic_store_explicit(&known->is_told, true, memory_order_release);
}

PTL_INLINE bool has_role(const struct ptl_known *known)
{
	return PTL_UNLIKELY(known->role.kind != PTL_ROLE_NONE);
}

/* With a role no call of it is recorded that would need that. */
PTL_INLINE struct ptl_known *announced_of(uintptr_t mark)
{
	struct ptl_known *known = known_of(mark);

	/* Pairs with announce(). */
	if (!has_role(known) && PTL_UNLIKELY(!atomic_load_explicit(
					&known->is_told, memory_order_acquire)))
		announce(known);
	return known;
}

/* Where the registers are: seen from there as in a stub's frame. */
PTL_INLINE const uint64_t *frame_of(const struct ptl_known *known,
				    const uint64_t *ret)
{
	return ret - known->typed.above;
}

static void record_begin(const struct ptl_known *known, const uint64_t *ret)
{
	ptl_typed_begin(&known->typed, known->callee, frame_of(known, ret),
			ptl_told_caller(ret), ptl_call_place(ret), 0);
}

static void record_end(const struct ptl_known *known, const uint64_t *ret,
		       uint64_t value)
{
	const void *addr = ptl_told_caller(ret);

	if (PTL_LIKELY(known->typed.is_word))
		ptl_core_call_end(PTL_EV_CALL_RETURN_TYPED, known->callee,
				  value, addr, ptl_call_place(ret));
	else
		ptl_typed_leave(&known->typed, known->callee, value, addr,
				ptl_call_place(ret));
}

/* ---- with limits, as in told.c --------------------------------------- */

/* Keeps what a call is given, to be recorded at its end. */
static bool keep(const struct ptl_known *known, const uint64_t *ret)
{
	uint64_t words[PTL_TYPED_WORDS];
	size_t nr = ptl_typed_given(&known->typed, frame_of(known, ret), words,
				    PTL_TYPED_WORDS);

	return ptl_core_nest_enter(ptl_call_place(ret),
				   ptl_core_ticks(ptl_limits.clock), words + 1,
				   nr - 1);
}

static __attribute__((noinline)) void
begin_limited(const struct ptl_known *known, const uint64_t *ret)
{
	if (ptl_told_is_off() || ptl_told_is_too_deep(ptl_call_place(ret)))
		return;
	if (!ptl_limits.ticks || !keep(known, ret))
		record_begin(known, ret);
}

/* What was kept is there until the next call begins. */
static __attribute__((noinline)) void
end_limited(const struct ptl_known *known, const uint64_t *ret, uint64_t value)
{
	uint64_t since = ptl_core_nest_leave(ptl_call_place(ret));

	if (ptl_told_is_off() ||
	    (!since && ptl_told_is_too_deep(ptl_call_place(ret))))
		return;
	if (!since || !ptl_limits.ticks)
		ptl_typed_ended(&known->typed, known->callee, value, since,
				ptl_told_caller(ret), ptl_call_place(ret));
	else if (ptl_core_ticks(ptl_limits.clock) - since >= ptl_limits.ticks)
		ptl_typed_whole(&known->typed, known->callee, value, since,
				ptl_told_caller(ret), ptl_call_place(ret));
}

/* ---- told by the code of an arena ----------------------------------- */

void ptl_told_begin_typed(uintptr_t mark, const uint64_t *ret)
{
	const struct ptl_known *known = announced_of(mark);

	if (has_role(known))
		ptl_told_role_begin(known, ret, true);
	else if (ptl_told_has_limits())
		begin_limited(known, ret);
	else
		record_begin(known, ret);
}

void ptl_told_loop_typed(uintptr_t mark, const uint64_t *ret)
{
	/* A call that has begun comes by again. */
	if (!ptl_core_nest_is_newest(ptl_call_place(ret)) &&
	    !ptl_core_allocating_is(ptl_call_place(ret)))
		ptl_told_begin_typed(mark, ret);
}

void ptl_told_only_typed(uintptr_t mark, const uint64_t *ret)
{
	const struct ptl_known *known = known_of(mark);

	if (has_role(known)) {
		ptl_told_role_begin(known, ret, false);
		return;
	}
	if (ptl_told_has_limits() &&
	    (ptl_limits.ticks || ptl_told_is_too_deep(ptl_call_place(ret))))
		return;
	known = announced_of(mark);
	ptl_typed_enter(&known->typed, known->callee, ret, ptl_told_caller(ret),
			0);
}

void ptl_told_end_typed(uintptr_t mark, const uint64_t *ret, uint64_t value)
{
	const struct ptl_known *known = announced_of(mark);

	if (has_role(known))
		ptl_told_role_end(known, ret, value);
	else if (ptl_told_has_limits())
		end_limited(known, ret, value);
	else
		record_end(known, ret, value);
}
