/* SPDX-License-Identifier: MIT */
#include "preload/hook/hooked.h"

#include "core/core.h"

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

uint64_t ptl_call_enter(uintptr_t after, const uint64_t *ret)
{
	struct ptl_stub *stub = ptl_stub_at(after);
	const struct ptl_typed *typed = typed_of(stub);
	const void *addr = (const void *)ptl_site_plain(*ret);
	uint64_t callee = callee_of(stub);

	if (PTL_UNLIKELY(!callee))
		callee = announce(stub);
	if (typed)
		ptl_typed_enter(typed, callee, ret, addr);
	else
		ptl_core_call_enter(callee, addr);
	return PTL_UNLIKELY(stub->returns) ?
		       go_by_site(stub, *ret) :
		       __atomic_load_n(&stub->real, __ATOMIC_RELAXED);
}

void ptl_call_leave(uintptr_t after, uint64_t value)
{
	const struct ptl_site *site = ptl_site_at(after);
	struct ptl_stub *stub = &ptl_stub[site->stub];
	const struct ptl_typed *typed = typed_of(stub);
	const void *addr = (const void *)site->ret;
	uint64_t callee = callee_of(stub);

	/* A call that went through the loader's resolver is recorded under the
	 * callee of that time. */
	if (PTL_UNLIKELY(!callee))
		callee = site->target == stub->lazy ? stub->known :
						      announce(stub);
	if (typed)
		ptl_typed_leave(typed, callee, value, addr);
	else
		ptl_core_call_exit(callee, value, addr);
}
