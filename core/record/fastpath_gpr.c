/* SPDX-License-Identifier: MIT */
/* The fast path of a call of a library, of which there are most: all of it in
 * one function. */
#include "core/buffer/counter.h"
#include "core/core.h"
#include "core/record/attached.h"
#include "core/record/fastpath_impl.h"

PTL_INLINE void call(enum ptl_sysevent id, const void *data, size_t size,
		     const void *addr)
{
	struct ptl_slot *slot = ptl_thread.slot;
	uint64_t active = ptl_attached_active();
	struct ptl_slot_stream *own;
	struct ptl_shm_head *head;

	if (!active)
		return;
	if (PTL_UNLIKELY(slot->busy != PTL_SLOT_IDLE))
		goto longer;
	ptl_slot_set_busy(slot);
	own = ptl_thread.last;
	head = ptl_thread.head;
	if (PTL_UNLIKELY(own->bit != active))
		goto unmark;
	if (!ptl_fastpath_skips(own, head, id)) {
		record(id, data, size, addr, own, head, ALONE);
		return;
	}
	ptl_slot_unmark(slot);
	return;
unmark:
	ptl_slot_unmark(slot);
longer:
	ptl_emit_long(id, data, size, addr, active);
}

void ptl_core_call_enter(uint64_t callee, const void *addr)
{
	call(PTL_EV_CALL_ENTER, &callee, sizeof(callee), addr);
}

uint64_t ptl_core_ticks(uint32_t clock)
{
	return ptl_counter_now(clock);
}

void ptl_core_call_typed(enum ptl_sysevent id, const void *data, size_t size,
			 const void *addr)
{
	call(id, data, size, addr);
}

void ptl_core_call_exit(uint64_t callee, uint64_t ret, const void *addr)
{
	uint64_t data[2] = {callee, ret};

	call(PTL_EV_CALL_EXIT, data, sizeof(data), addr);
}
