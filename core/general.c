/* SPDX-License-Identifier: MIT */
/* The short way where others' arguments are in vector registers. */
#include "core/core.h"
#include "core/self.h"
#include "core/shortly.h"

PTL_INLINE bool general(enum ptl_sysevent id, const void *data, size_t size,
			const void *addr)
{
	struct ptl_slot *slot = ptl_thread.slot;
	uint64_t active = ptl_self_active();
	struct ptl_slot_stream *own;
	struct ptl_shm_head *head;
	bool done;

	if (!active)
		return true;
	if (slot->busy != PTL_SLOT_IDLE || slot->nr_pins)
		return false;
	ptl_slot_set_busy(slot);
	own = ptl_thread.last;
	head = ptl_thread.head;
	done = own->bit == active;
	if (done && !ptl_short_skips(own, head, id))
		return record(id, data, size, addr, own, head, GENERAL);
	ptl_slot_unmark(slot);
	return done;
}

bool ptl_core_event_general(enum ptl_sysevent id, const void *data, size_t size,
			    const void *addr)
{
	return general(id, data, size, addr);
}

bool ptl_core_call_enter(uint64_t callee, const void *addr)
{
	return general(PTL_EV_CALL_ENTER, &callee, sizeof(callee), addr);
}

bool ptl_core_call_exit(uint64_t callee, uint64_t ret, const void *addr)
{
	uint64_t data[2] = {callee, ret};

	return general(PTL_EV_CALL_EXIT, data, sizeof(data), addr);
}
