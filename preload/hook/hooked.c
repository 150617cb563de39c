/* SPDX-License-Identifier: MIT */
#include "preload/hook/hooked.h"

#include "core/core.h"

#include "preload/hook/nest.h"
#include "preload/hook/site.h"
#include "preload/hook/typed.h"

struct ptl_stub ptl_stub[PTL_STUBS] PTL_BULK __attribute__((aligned(64)));

static uint64_t go_by_site(const struct ptl_stub *stub, uint64_t ret)
{
	uint64_t real = __atomic_load_n(&stub->real, __ATOMIC_RELAXED);
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

static void record_enter(const struct ptl_stub *stub, uint64_t callee,
			 const uint64_t *ret, const void *addr)
{
	const struct ptl_typed *typed = typed_of(stub);

	if (typed)
		ptl_typed_enter(typed, callee, ret, addr);
	else
		ptl_core_call_enter(callee, addr);
}

static void record_exit(const struct ptl_stub *stub, uint64_t callee,
			uint64_t value, const void *addr)
{
	const struct ptl_typed *typed = typed_of(stub);

	if (typed)
		ptl_typed_leave(typed, callee, value, addr);
	else
		ptl_core_call_exit(callee, value, addr);
}

/* ---- with limits (nest.h) ------------------------------------------- */

/* Where the return address is when the function begins, and when it has
 * returned to its site: on the stack, or where the stack ends. */
static uintptr_t place_of(const uint64_t *ret)
{
#if defined(__aarch64__)
	return (uintptr_t)(ret - 1) +
	       176; /* as `enter' in stub.S has made it */
#else
	return (uintptr_t)ret;
#endif
}

/* Keeps what a call is given that may be recorded at its end. */
static bool keep(const struct ptl_stub *stub, const uint64_t *ret)
{
	const struct ptl_typed *typed = typed_of(stub);
	uint64_t words[PTL_TYPED_WORDS];
	size_t nr = 1;

	if (typed && ptl_limits.ticks && stub->returns)
		nr = ptl_typed_given(typed, ret, words);
	return ptl_nest_enter(place_of(ret), words + 1, nr - 1);
}

static __attribute__((noinline)) uint64_t enter_limited(struct ptl_stub *stub,
							uint64_t callee,
							const uint64_t *ret,
							const void *addr)
{
	uint64_t real = __atomic_load_n(&stub->real, __ATOMIC_RELAXED), go;
	bool later = false;

	if (ptl_nest_is_deep(place_of(ret)))
		return real;
	/* It ends with the one that jumped to it, which is timed. */
	if (ptl_limits.ticks && stub->returns && ptl_site_at(*ret))
		return real;
	go = stub->sited ? go_by_site(stub, *ret) : real;
	if (go != real)
		later = keep(stub, ret) && ptl_limits.ticks && stub->returns;
	if (!later)
		record_enter(stub, callee, ret, addr);
	return go;
}

/* A call that was long enough, in one event. */
static void record_took(const struct ptl_stub *stub, uint64_t callee,
			uint64_t ticks, const uint64_t *given, size_t nr,
			uint64_t value, const void *addr)
{
	uint64_t words[3 + PTL_TYPED_WORDS + PTL_TYPED_RESULT] = {0};
	const struct ptl_typed *typed = typed_of(stub);
	uint64_t ns =
		(uint64_t)(((unsigned __int128)ticks * ptl_limits.rate) >> 32);

	words[0] = callee;
	words[1] = ns;
	words[2] = value;
	if (!typed) {
		ptl_core_call_typed(PTL_EV_CALL_TOOK, words, 3 * sizeof(*words),
				    addr);
		return;
	}
	nr = PTL_MIN(nr, PTL_TYPED_WORDS);
	words[2] = nr * sizeof(*words);
	for (size_t i = 0; i < nr; i++)
		words[3 + i] = given[i];
	nr = 3 + nr + ptl_typed_returned(typed, value, words + 3 + nr);
	ptl_core_call_typed(PTL_EV_CALL_TOOK_TYPED, words, nr * sizeof(*words),
			    addr);
}

static __attribute__((noinline)) void
leave_limited(const struct ptl_stub *stub, uint64_t callee, uint64_t value,
	      uintptr_t at, const void *addr)
{
	const uint64_t *words = NULL;
	uint64_t since, now = 0;
	size_t nr = 0;

	if (ptl_limits.ticks)
		now = ptl_core_ticks(ptl_limits.clock);
	since = ptl_nest_leave(at, &words, &nr);
	if (!stub->returns)
		return;
	if (!ptl_limits.ticks || !since)
		record_exit(stub, callee, value, addr);
	else if (now - since >= ptl_limits.ticks)
		record_took(stub, callee, now - since, words, nr, value, addr);
}

uint64_t ptl_call_enter(uintptr_t after, const uint64_t *ret)
{
	struct ptl_stub *stub = ptl_stub_at(after);
	const void *addr = (const void *)ptl_site_plain(*ret);
	uint64_t callee = callee_of(stub);

	if (PTL_UNLIKELY(!callee))
		callee = announce(stub);
	if (ptl_nest_limits())
		return enter_limited(stub, callee, ret, addr);
	record_enter(stub, callee, ret, addr);
	return PTL_UNLIKELY(stub->returns) ?
		       go_by_site(stub, *ret) :
		       __atomic_load_n(&stub->real, __ATOMIC_RELAXED);
}

void ptl_call_leave(uintptr_t after, uint64_t value, uintptr_t at)
{
	const struct ptl_site *site = ptl_site_at(after);
	struct ptl_stub *stub = &ptl_stub[site->stub];
	const void *addr = (const void *)site->ret;
	uint64_t callee = callee_of(stub);

	/* A call that went through the loader's resolver is recorded under the
	 * callee of that time. */
	if (PTL_UNLIKELY(!callee))
		callee = site->target == stub->lazy ? stub->known :
						      announce(stub);
	if (ptl_nest_limits())
		leave_limited(stub, callee, value, at, addr);
	else
		record_exit(stub, callee, value, addr);
}
