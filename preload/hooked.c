/* SPDX-License-Identifier: MIT */
#include "preload/hooked.h"

#include "core/core.h"

struct ptl_stub ptl_stub[PTL_STUBS] PTL_BULK __attribute__((aligned(64)));

struct ptl_call_next ptl_call_enter(uintptr_t after, uint64_t *ret)
{
	const struct ptl_stub *stub = ptl_stub_at(after);
	uint64_t callee = stub->callee;
	struct ptl_call_next next = {true, stub->real};

	if (PTL_LIKELY(callee))
		next.undone = !ptl_core_event_general(PTL_EV_CALL_ENTER,
						      &callee, sizeof(callee),
						      (const void *)*ret);
	return next;
}
