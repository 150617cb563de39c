/* SPDX-License-Identifier: MIT */
#include "preload/hooked.h"

#include "core/core.h"

#include "preload/site.h"

struct ptl_stub ptl_stub[PTL_STUBS] PTL_BULK __attribute__((aligned(64)));

uint64_t ptl_call_go(const struct ptl_stub *stub, uint64_t ret)
{
	uint64_t real = __atomic_load_n(&stub->real, __ATOMIC_RELAXED);
	uint64_t go = 0;

	/* Whom another function jumped to, as its last act, returns with that
	 * one. */
	if (stub->returns && !ptl_site_at(ret))
		go = ptl_site_enter(ret, (uint32_t)(stub - ptl_stub), real);
	return go ? go : real;
}

struct ptl_call_next ptl_call_enter(uintptr_t after, uint64_t *ret)
{
	const struct ptl_stub *stub = ptl_stub_at(after);
	uint64_t callee = stub->callee;
	struct ptl_call_next next = {true, 0};

	if (PTL_UNLIKELY(!callee))
		return next;
	next.undone = !ptl_core_call_enter(callee,
					   (const void *)ptl_site_plain(*ret));
	next.go = PTL_UNLIKELY(stub->returns) ?
			  ptl_call_go(stub, *ret) :
			  __atomic_load_n(&stub->real, __ATOMIC_RELAXED);
	return next;
}

unsigned long ptl_call_leave(uintptr_t after, uint64_t value)
{
	const struct ptl_site *site = ptl_site_at(after);
	const struct ptl_stub *stub = &ptl_stub[site->stub];
	uint64_t callee = stub->callee;

	return !callee ||
	       !ptl_core_call_exit(callee, value, (const void *)site->ret);
}
