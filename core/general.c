/* SPDX-License-Identifier: MIT */
/* The short way where others' arguments are in vector registers. */
#include "core/core.h"
#include "core/self.h"
#include "core/shortly.h"

bool ptl_core_event_general(enum ptl_sysevent id, const void *data, size_t size,
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
	if (done && !ptl_short_skips(head, id))
		return record(id, data, size, addr, own, head, true);
	ptl_slot_unmark(slot);
	return done;
}
