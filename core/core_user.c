/* SPDX-License-Identifier: MIT */
/* What a process does that becomes another user, called through the seam
 * (core.h). */
#include "core/core.h"

#include "core/process/leave.h"
#include "core/record/attached.h"
#include "core/record/slots.h"

void ptl_core_user(bool begins)
{
	ptl_core_forked();
	/* A vfork child has its parent's memory, and its parent no new user. */
	if (!atomic_load_explicit(&ptl_attached.ready, memory_order_relaxed) ||
	    !ptl_slots_may_call() || ptl_core_in_vfork_child())
		return;
	if (begins)
		ptl_leave_begin();
	else
		ptl_leave_end();
}
