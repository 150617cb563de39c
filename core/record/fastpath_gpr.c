/* SPDX-License-Identifier: MIT */
/* The fast path of a call of a library, of which there are most: all of it in
 * one function. */
#include "core/buffer/counter.h"
#include "core/core.h"
#include "core/record/attached.h"
#include "core/record/fastpath_impl.h"
#include "core/record/nest.h"

/* Returns when it was recorded, or 0: elsewhere, or nowhere. */
PTL_INLINE uint64_t call(enum ptl_sysevent id, const void *data, size_t size,
			 const void *addr)
{
	uint64_t active = ptl_attached_active(), when = 0;
	struct ptl_slot_stream *own;
	struct ptl_shm_head *head;
	struct ptl_slot *slot;

	if (!active)
		return 0;
	slot = ptl_thread.slot;
	if (PTL_UNLIKELY(slot->busy != PTL_SLOT_IDLE))
		goto longer;
	ptl_slot_set_busy(slot);
	own = ptl_thread.last;
	head = ptl_thread.head;
	if (PTL_UNLIKELY(own->bit != active))
		goto unmark;
	if (!ptl_fastpath_skips(own, head, id)) {
		record(id, data, size, addr, own, head, ALONE, &when);
		return when;
	}
	ptl_slot_unmark(slot);
	return 0;
unmark:
	ptl_slot_unmark(slot);
longer:
	ptl_emit_long(id, data, size, addr, active);
	return 0;
}

uint64_t ptl_core_call_enter(uint64_t callee, const void *addr, uint64_t go)
{
	call(PTL_EV_CALL_ENTRY, &callee, sizeof(callee), addr);
	return go;
}

uint64_t ptl_core_ticks(uint32_t clock)
{
	return ptl_counter_now(clock);
}

uint64_t ptl_core_call_time(void)
{
	uint32_t clock =
		atomic_load_explicit(&ptl_attached.clock, memory_order_relaxed);

	/* In the streams of that clock this thread records nothing. */
	return ptl_counter_denied(clock) ? 1 : ptl_clock_now(clock);
}

/* What it took to record the call if not here is no part of it, nor is what it
 * takes to have a nest. */
static __attribute__((noinline)) uint64_t begin_long(uintptr_t at, uint64_t go)
{
	if (ptl_nest_mine())
		ptl_core_nest_enter(at, ptl_core_call_time(), NULL, 0);
	return go;
}

PTL_INLINE uint64_t begin(uintptr_t at, uint64_t since, uint64_t go)
{
	struct ptl_nest *nest;

	if (PTL_UNLIKELY(ptl_outsider()))
		return go;
	nest = ptl_thread.slot->memory;
	if (PTL_LIKELY(since != 0) && PTL_LIKELY(nest != NULL)) {
		/* Readers are to find the end behind the begin, whichever
		 * packets they are in. */
		ptl_nest_push(&nest, at, since + 1);
		return go;
	}
	return begin_long(at, go);
}

/* Of a thread without memory no calls are known. */
PTL_INLINE uint64_t end(uintptr_t at)
{
	struct ptl_nest *nest;

	if (PTL_UNLIKELY(ptl_outsider()))
		return 0;
	nest = ptl_thread.slot->memory;
	return PTL_LIKELY(nest != NULL) ? ptl_nest_pop(nest, at) : 0;
}

uint64_t ptl_core_call_begin(uint64_t callee, const void *addr, uintptr_t at,
			     uint64_t go)
{
	uint64_t since = call(PTL_EV_CALL_ENTER, &callee, sizeof(callee), addr);

	return begin(at, since, go);
}

void ptl_core_call_end(enum ptl_sysevent id, uint64_t callee, uint64_t ret,
		       const void *addr, uintptr_t at)
{
	uint64_t data[3] = {callee, ret, end(at)};

	call(id, data, sizeof(data), addr);
}

void ptl_core_call_left(uint64_t callee, const void *addr, uintptr_t at)
{
	uint64_t data[2] = {callee, end(at)};

	call(PTL_EV_CALL_LEFT, data, sizeof(data), addr);
}

void ptl_core_call_typed(enum ptl_sysevent id, const void *data, size_t size,
			 const void *addr)
{
	call(id, data, size, addr);
}

void ptl_core_call_begin_typed(const void *data, size_t size, const void *addr,
			       uintptr_t at)
{
	begin(at, call(PTL_EV_CALL_ENTER_TYPED, data, size, addr), 0);
}

void ptl_core_call_end_typed(uint64_t *words, size_t nr, const void *addr,
			     uintptr_t at)
{
	words[nr] = end(at);
	call(PTL_EV_CALL_RETURN_TYPED, words, (nr + 1) * sizeof(*words), addr);
}
