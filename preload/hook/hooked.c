/* SPDX-License-Identifier: MIT */
#include "preload/hook/hooked.h"

#include "core/core.h"

#include "preload/hook/site.h"
#include "preload/hook/typed.h"

struct ptl_stub ptl_stub[PTL_STUBS] PTL_BULK __attribute__((aligned(64)));

/* The site that it goes by, or the function. */
static uint64_t go_by_site(const struct ptl_stub *stub, uint64_t ret,
			   uint64_t real)
{
	uint64_t go;

	/* A function that another one jumped to as its last act returns
	 * together with that one. */
	if (ptl_site_at(ret))
		return real;
	go = ptl_site_enter(ret, (uint32_t)(stub - ptl_stub), real);
	if (PTL_LIKELY(go != 0))
		return go;
	ptl_call_missed();
	return real;
}

static uint64_t callee_of(const struct ptl_stub *stub)
{
	/* Pairs with ptl_call_announce(). */
	return __atomic_load_n(&stub->callee, __ATOMIC_ACQUIRE);
}

/* What is known of what it calls, or NULL. */
static const struct ptl_typed *typed_of(const struct ptl_stub *stub)
{
	return PTL_UNLIKELY(stub->typed) ? &ptl_typed[stub - ptl_stub] : NULL;
}

static uint64_t announce(struct ptl_stub *stub)
{
	const struct ptl_typed *typed = typed_of(stub);

	return ptl_call_announce(stub, typed ? typed->code : NULL);
}

/* Each of these is the last that its caller does. */
static uint64_t record_enter(const struct ptl_stub *stub, uint64_t callee,
			     const uint64_t *ret, const void *addr, uint64_t go)
{
	const struct ptl_typed *typed = typed_of(stub);

	if (typed)
		return ptl_typed_enter(typed, callee, ret, addr, go);
	return ptl_core_call_enter(callee, addr, go);
}

/* The function returns together with the one that jumped to it as its last act.
 */
static bool is_last_act(const struct ptl_stub *stub, uint64_t ret)
{
	return stub->returns && ptl_site_at(ret);
}

static __attribute__((noinline)) uint64_t
record_last_act(const struct ptl_stub *stub, uint64_t callee,
		const uint64_t *ret, const void *addr, uint64_t go)
{
	const struct ptl_typed *typed = typed_of(stub);
	uint64_t words[PTL_TYPED_WORDS];
	size_t nr =
		typed ? ptl_typed_given(typed, ret, words, PTL_TYPED_WORDS) : 1;

	words[0] = callee;
	ptl_core_call_typed(typed ? PTL_EV_CALL_ENTER_TYPED : PTL_EV_CALL_ENTER,
			    words, nr * sizeof(*words), addr);
	return go;
}

/* The return of the call is recorded, too, by the site that it goes to, with
 * when it began. */
static uint64_t record_begin(const struct ptl_stub *stub, uint64_t callee,
			     const uint64_t *ret, const void *addr, uint64_t go)
{
	const struct ptl_typed *typed = typed_of(stub);

	if (typed)
		return ptl_typed_begin(typed, callee, ret, addr,
				       ptl_call_place(ret), go);
	return ptl_core_call_begin(callee, addr, ptl_call_place(ret), go);
}

static void record_end(const struct ptl_stub *stub, uint64_t callee,
		       uint64_t value, const void *addr, uintptr_t at)
{
	const struct ptl_typed *typed = typed_of(stub);

	if (!typed)
		ptl_core_call_end(PTL_EV_CALL_RETURN, callee, value, addr, at);
	else if (PTL_LIKELY(typed->is_word))
		ptl_core_call_end(PTL_EV_CALL_RETURN_TYPED, callee, value, addr,
				  at);
	else
		ptl_typed_leave(typed, callee, value, addr, at);
}

/* ---- with limits ---------------------------------------------------- */

static bool has_limits(void)
{
	return PTL_UNLIKELY(ptl_limits.ticks | ptl_limits.depth);
}

/* Keeps what a call is given, to be recorded at its end. */
static bool keep(const struct ptl_stub *stub, const uint64_t *ret)
{
	const struct ptl_typed *typed = typed_of(stub);
	uint64_t words[PTL_TYPED_WORDS];
	size_t nr =
		typed ? ptl_typed_given(typed, ret, words, PTL_TYPED_WORDS) : 1;

	return ptl_core_nest_enter(ptl_call_place(ret),
				   ptl_core_ticks(ptl_limits.clock), words + 1,
				   nr - 1);
}

static __attribute__((noinline)) uint64_t enter_limited(struct ptl_stub *stub,
							uint64_t callee,
							const uint64_t *ret,
							const void *addr)
{
	uint64_t real = __atomic_load_n(&stub->real, __ATOMIC_RELAXED), go;

	if (ptl_limits.depth &&
	    ptl_core_nest_depth(ptl_call_place(ret)) >= ptl_limits.depth)
		return real;
	/* Where calls are timed the one that jumped to it is. */
	if (is_last_act(stub, *ret))
		return ptl_limits.ticks ?
			       real :
			       record_last_act(stub, callee, ret, addr, real);
	go = stub->sited ? go_by_site(stub, *ret, real) : real;
	if (go == real || !stub->returns)
		record_enter(stub, callee, ret, addr, go);
	else if (!ptl_limits.ticks || !keep(stub, ret))
		record_begin(stub, callee, ret, addr, go);
	if (go != real && !stub->returns)
		ptl_core_nest_enter(ptl_call_place(ret), 0, NULL, 0);
	return go;
}

/* A call that was long enough, in one event. */
static void record_whole(const struct ptl_stub *stub, uint64_t callee,
			 uint64_t value, uint64_t since, const void *addr,
			 uintptr_t at)
{
	const struct ptl_typed *typed = typed_of(stub);
	uint64_t words[] = {callee, value, since};

	if (typed)
		ptl_typed_whole(typed, callee, value, since, addr, at);
	else
		ptl_core_call_typed(PTL_EV_CALL_RETURN, words, sizeof(words),
				    addr);
}

static __attribute__((noinline)) void
leave_limited(const struct ptl_stub *stub, uint64_t callee, uint64_t value,
	      uintptr_t at, const void *addr)
{
	uint64_t now = ptl_limits.ticks ? ptl_core_ticks(ptl_limits.clock) : 0;
	uint64_t since = 0;

	if (ptl_limits.ticks || !stub->returns)
		since = ptl_core_nest_leave(at);
	if (!stub->returns)
		return;
	if (!since)
		record_end(stub, callee, value, addr, at);
	else if (now - since >= ptl_limits.ticks)
		record_whole(stub, callee, value, since, addr, at);
}

/* ---- summed up ------------------------------------------------------- */

static bool has_sums(void)
{
	return ptl_limits.depth == PTL_CORE_SUMS;
}

static __attribute__((noinline)) uint64_t
enter_summed(const struct ptl_stub *stub, uint64_t callee, const uint64_t *ret,
	     const void *addr)
{
	uint64_t real = __atomic_load_n(&stub->real, __ATOMIC_RELAXED);
	uint64_t go = real;

	if (stub->returns && !is_last_act(stub, *ret))
		go = go_by_site(stub, *ret, real);
	if (ptl_core_sum_begin(callee, addr,
			       go == real ? 0 : ptl_call_place(ret)))
		return go;
	if (is_last_act(stub, *ret))
		return record_last_act(stub, callee, ret, addr, real);
	return go == real ? record_enter(stub, callee, ret, addr, go) :
			    record_begin(stub, callee, ret, addr, go);
}

static void leave_summed(const struct ptl_stub *stub, uint64_t callee,
			 uint64_t value, uintptr_t at, const void *addr)
{
	uint64_t since;

	if (ptl_core_sum_end(at))
		return;
	/* The begin was an event. */
	since = ptl_core_nest_leave(at);
	if (since)
		record_whole(stub, callee, value, since, addr, at);
	else if (!ptl_core_nest_works())
		record_end(stub, callee, value, addr, at);
}

static bool is_off(void)
{
	return ptl_limits.ticks == PTL_CORE_NEVER;
}

/* Of any kind. */
static __attribute__((noinline)) uint64_t enter_any(struct ptl_stub *stub,
						    const uint64_t *ret)
{
	const void *addr = (const void *)ptl_site_plain(*ret);
	uint64_t callee = callee_of(stub), real, go;

	if (is_off())
		return __atomic_load_n(&stub->real, __ATOMIC_RELAXED);
	if (PTL_UNLIKELY(!callee))
		callee = announce(stub);
	if (has_sums())
		return enter_summed(stub, callee, ret, addr);
	if (has_limits())
		return enter_limited(stub, callee, ret, addr);
	real = __atomic_load_n(&stub->real, __ATOMIC_RELAXED);
	if (is_last_act(stub, *ret))
		return record_last_act(stub, callee, ret, addr, real);
	go = stub->returns ? go_by_site(stub, *ret, real) : real;
	if (go != real)
		return record_begin(stub, callee, ret, addr, go);
	return record_enter(stub, callee, ret, addr, real);
}

/* What most calls are is done here, with nothing left to do but to record. */
uint64_t ptl_call_enter(struct ptl_stub *stub, const uint64_t *ret)
{
	uint64_t callee = callee_of(stub), go;

	if (PTL_UNLIKELY(!callee || has_limits() || ptl_site_at(*ret)))
		return enter_any(stub, ret);
	go = __atomic_load_n(&stub->real, __ATOMIC_RELAXED);
	if (!stub->returns)
		return record_enter(stub, callee, ret, (const void *)*ret, go);
	go = ptl_site_known(*ret, (uint32_t)(stub - ptl_stub), go);
	if (PTL_UNLIKELY(!go))
		return enter_any(stub, ret);
	return record_begin(stub, callee, ret, (const void *)*ret, go);
}

static __attribute__((noinline)) void
leave_any(const struct ptl_return_site *site, uint64_t value, uintptr_t at)
{
	struct ptl_stub *stub = &ptl_stub[site->stub];
	const void *addr = (const void *)site->ret;
	uint64_t callee = callee_of(stub);

	if (is_off()) {
		ptl_core_nest_leave(at);
		return;
	}
	/* A call that went through the loader's resolver is recorded under the
	 * callee of that time. */
	if (!callee)
		callee = site->target == stub->lazy ? stub->known :
						      announce(stub);
	if (has_sums())
		leave_summed(stub, callee, value, at, addr);
	else if (has_limits())
		leave_limited(stub, callee, value, at, addr);
	else
		record_end(stub, callee, value, addr, at);
}

void ptl_call_leave(uintptr_t after, uint64_t value, uintptr_t at)
{
	const struct ptl_return_site *site = ptl_site_at(after);
	const struct ptl_stub *stub = &ptl_stub[site->stub];
	uint64_t callee = callee_of(stub);

	if (PTL_UNLIKELY(!callee || has_limits()))
		leave_any(site, value, at);
	else
		record_end(stub, callee, value, (const void *)site->ret, at);
}
