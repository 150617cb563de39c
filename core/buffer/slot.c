/* SPDX-License-Identifier: MIT */
/* The calling thread: what is needed below slots.c, which looks after all. */
#include "core/buffer/slot.h"

const struct ptl_slot ptl_no_slot;

__thread struct ptl_own_thread ptl_thread
	__attribute__((tls_model("initial-exec"), visibility("hidden"))) = {
		.slot = PTL_NO_SLOT,
		.last = PTL_NO_SLOT->stream,
};

_Atomic bool ptl_slots_no_syscalls;
