/* SPDX-License-Identifier: MIT */
/*
 * The fast path to record an event in a stream: a record that fits, nothing out
 * of the ordinary.  Where anything is not as expected it gives up, without a
 * trace, and the slow path (emit.c) does all of it from the start.
 *
 * This is what an event costs, so every instruction counts.  It is two
 * functions, so that an event that is not recorded does not pay for the
 * registers of one that is; what is called is called last, and needs no stack.
 */
#ifndef PTL_CORE_RECORD_FASTPATH_H
#define PTL_CORE_RECORD_FASTPATH_H

#include "core/buffer/outsider.h"
#include "core/buffer/slot.h"
#include "core/format/sysevents.h"
#include "core/record/emit.h"

/* In the stream `own' of a slot that is marked busy. */
typedef void ptl_fastpath_fn(uint32_t id, const void *data, size_t size,
			     const void *addr, struct ptl_slot_stream *own,
			     struct ptl_shm_head *head);
ptl_fastpath_fn ptl_fastpath_record;

/* ptl_fastpath_record() with vector registers: not where the caller's hold
 * something. */
ptl_fastpath_fn ptl_fastpath_vector;

/*
 * ptl_fastpath_record() for one stream of several, whose slot stays marked; the
 * time is in the slot, or comes there.  False: nothing was done.
 */
bool ptl_fastpath_try(uint32_t id, const void *data, size_t size,
		      const void *addr, struct ptl_slot_stream *own);

/*
 * Is the stream stopped, or does it filter this type?  An event that is not
 * recorded takes the branch marked likely, a jump not taken: its cost is all
 * there is, where that of a jump is hidden in the recording of an event.
 */
PTL_INLINE bool ptl_fastpath_skips(const struct ptl_slot_stream *own,
				   const struct ptl_shm_head *head, uint32_t id)
{
	if (PTL_UNLIKELY(ptl_head_gate(head) == own->gate))
		return false;
	/* The filter is not older than the state.
	 * Pairs with ptl_head_change(). */
	atomic_thread_fence(memory_order_acquire);
	return PTL_UNLIKELY((ptl_head_state(head) & PTL_STATE_BITS) == 0) ||
	       PTL_LIKELY(id < PTL_ID_LIMIT && ptl_head_filters(head, id));
}

/*
 * As ptl_emit(), by `record', for ids from `first' on.  What it cannot do does
 * `longer', called with the same arguments.
 */
PTL_INLINE void ptl_fastpath_emit(uint32_t id, const void *data, size_t size,
				  const void *addr, uint64_t active,
				  uint32_t first, ptl_fastpath_fn *record,
				  ptl_emit_fn *longer)
{
	struct ptl_slot_stream *own;
	struct ptl_shm_head *head;
	struct ptl_slot *slot;

	if (PTL_UNLIKELY(ptl_outsider_maybe()))
		goto longer;
	slot = ptl_thread.slot;
	if (PTL_UNLIKELY(slot->busy != PTL_SLOT_IDLE))
		goto longer;
	ptl_slot_set_busy(slot);
	own = ptl_thread.last;
	if (PTL_UNLIKELY(own->bit != active))
		goto unmark;
	head = ptl_thread.head;
	if (PTL_LIKELY(ptl_fastpath_skips(own, head, id))) {
		ptl_slot_unmark(slot);
		return;
	}
	if (PTL_LIKELY(id - first < PTL_ID_SHORT - first)) {
		record(id, data, size, addr, own, head);
		return;
	}
unmark:
	ptl_slot_unmark(slot);
longer:
	longer(id, data, size, addr, active);
}

/* Is it malloc(), or one of its like? */
PTL_INLINE bool ptl_is_of_heap(uint32_t id)
{
	return id - PTL_EV_MEM_MALLOC <= PTL_EV_MEM_FREE - PTL_EV_MEM_MALLOC;
}

/*
 * Does the stream record this call of libc?  Also yes if it is lost because the
 * stream is full, or dead: ptl_emit() sees to that.
 */
PTL_INLINE bool ptl_head_for_calls(const struct ptl_shm_head *head, uint32_t id)
{
	/* Before the filter, as there.
	 * Pairs with ptl_head_change(). */
	uint32_t state =
		atomic_load_explicit(&head->state, memory_order_acquire) &
		PTL_STATE_BITS;

	if (PTL_UNLIKELY(state != PTL_STATE_RUNNING)) {
		if (state & PTL_STATE_DEAD)
			return true;
		if (!state)
			return false;
	}
	return (PTL_LIKELY(head->attr.calls == PTL_CALLS_ALL) ||
		(head->attr.calls == PTL_CALLS_NO_HEAP &&
		 !ptl_is_of_heap(id))) &&
	       !ptl_head_filters(head, id);
}

/* The streams of `active' that record the call; the one recorded in last is
 * most often all. */
PTL_INLINE uint64_t ptl_fastpath_for_calls(uint64_t active, uint32_t id)
{
	struct ptl_slot *slot = ptl_thread.slot;
	bool wanted;

	if (PTL_UNLIKELY(!ptl_slot_mark(slot)))
		return ptl_emit_for_calls_long(active, id);
	if (PTL_UNLIKELY(ptl_thread.last->bit != active)) {
		ptl_slot_unmark(slot);
		return ptl_emit_for_calls_long(active, id);
	}
	wanted = ptl_head_for_calls(ptl_thread.head, id);
	ptl_slot_unmark(slot);
	return wanted ? active : 0;
}

#endif
