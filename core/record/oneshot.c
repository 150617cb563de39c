/* SPDX-License-Identifier: MIT */
/*
 * Claim, write, let go.  No other thread can write to the chunk meanwhile, so
 * the record needs no reservation: it is begun before the clock is read for it.
 */
#include "core/record/oneshot.h"

#include "core/buffer/chunk.h"
#include "core/buffer/counter.h"
#include "core/buffer/loss.h"
#include "core/format/record.h"
#include "core/record/pins.h"
#include "core/record/slots.h"
#include "core/record/stacks.h"
#include "core/sys/clock.h"
#include "core/sys/wait.h"

/* Never written.  Not const: a fork child has this page, and not that of the
 * constants. */
struct ptl_recorded_stack ptl_no_stack;

void ptl_oneshot_wake(struct ptl_shm_head *head)
{
	if (ptl_slots_may_call())
		ptl_wait_wake(&head->sleeper);
}

struct once {
	const struct ptl_recorded_stack *stack;
	const void *data, *addr;
	size_t size, max; /* of data, and how much of them may be recorded */
	uint32_t id;
	bool running; /* not if the stream was stopped on our way here */
};

PTL_INLINE uint64_t time_of(const struct ptl_map *map,
			    const struct ptl_emit_as *as)
{
	return as->when ? as->when : ptl_counter_now(map->clock);
}

static bool write_once(struct ptl_map *map, const struct ptl_emit_as *as,
		       const struct once *once)
{
	const struct ptl_recorded_stack *stack = once->stack;
	const size_t size = PTL_MIN(once->size, once->max);
	const bool running = once->running;
	uint32_t flags = once->size > once->max ? PTL_RECORD_TRUNCATED : 0;
	uint32_t id = once->id;
	struct ptl_claim claim;
	unsigned char *to;
	uint32_t state, before;
	size_t bytes;
	uint64_t now;

	if (ptl_record_extended(id, size, (uintptr_t)once->addr))
		flags |= PTL_RECORD_EXTENDED;
	bytes = ptl_record_bytes(size, flags & PTL_RECORD_EXTENDED) +
		ptl_record_stack_bytes(stack->nr);
	if (bytes + PTL_SPAN_BYTES > map->chunk_size ||
	    !ptl_chunk_claim(
		    map, ptl_thread.tid | map->tid_mark, bytes + PTL_SPAN_BYTES,
		    running ? PTL_CLAIM_ONCE : PTL_CLAIM_OWN,
		    ptl_slots_may_call() ? PTL_CLAIM_ASKS : PTL_CLAIM_STORES,
		    &claim))
		return false;
	now = time_of(map, as);
	ptl_owner_span(map, &claim, as, now);
	to = ptl_map_chunk(map, claim.index) + claim.offset;
	ptl_record_bound(to + bytes, map->chunk_size - claim.offset - bytes);
	/* Before the clock is read: a handler that comes now is later, and
	 * readers see that an earlier event is still being written. */
	ptl_record_begin_stacked(to, stack->nr, now, flags, size);
	state = ptl_head_state(map->head);
	do {
		before = state;
		PTL_HANDLER_FENCE();
		now = time_of(map, as);
		PTL_HANDLER_FENCE();
		state = ptl_head_state(map->head);
	} while (running && state != before && ptl_state_runs(state));
	if (running && !ptl_state_runs(state)) {
		if (state & PTL_STATE_FULL)
			ptl_loss_add(map, 1, now);
		id = PTL_ID_PAD;
	}
	ptl_record_write_stacked(to, stack->frame, stack->nr, now, id, flags,
				 once->data, size, (uintptr_t)once->addr);
	ptl_chunk_release(map, claim.index, ptl_thread.tid | map->tid_mark,
			  claim.offset + bytes);
	ptl_oneshot_told(map->head);
	return true;
}

static bool write_marked(struct ptl_map *map, const struct ptl_emit_as *as,
			 const struct once *once)
{
	struct ptl_slot *slot = ptl_slot_mine();
	uint64_t claiming;
	bool mark, done;

	if (!slot)
		return false;
	if (once->running && ptl_counter_denied(map->clock)) {
		ptl_loss_add(map, 1, ptl_counter_now(map->clock));
		return true;
	}
	mark = ptl_slot_mark(slot);
	claiming = slot->claiming;
	slot->claiming = UINT64_MAX; /* for strays: owner.c */
	PTL_HANDLER_FENCE();
	done = write_once(map, as, once);
	PTL_HANDLER_FENCE();
	slot->claiming = claiming;
	if (mark && ptl_slot_pinned(slot))
		ptl_pins_clear(slot);
	if (mark)
		ptl_slot_unmark(slot);
	return done;
}

bool ptl_oneshot(struct ptl_map *map, const struct ptl_emit_as *as, uint32_t id,
		 const void *data, size_t size, size_t max, const void *addr)
{
	const struct once once = {&ptl_no_stack, data, addr, size,
				  max,		 id,   false};

	return write_marked(map, as, &once);
}

bool ptl_oneshot_stacked(struct ptl_map *map, const struct ptl_emit_as *as,
			 const struct ptl_recorded_stack *stack, uint32_t id,
			 const void *data, size_t size, const void *addr)
{
	const struct once once = {stack,	 data, addr, size,
				  map->max_data, id,   true};

	return write_marked(map, as, &once);
}

bool ptl_oneshot_at(struct ptl_map *map, const struct ptl_emit_as *as,
		    const struct ptl_oneshot_past *past, uint32_t id,
		    const void *data, size_t size)
{
	const struct ptl_recorded_stack stack = {past->frame, past->nr, NULL,
						 past->addr};
	const void *addr = (void *)(uintptr_t)past->addr;
	struct ptl_emit_as then = *as;

	then.when = past->when;
	return ptl_oneshot_stacked(map, &then, &stack, id, data, size, addr);
}

static PTL_COLD bool unwind_once(struct ptl_map *map,
				 const struct ptl_emit_as *as,
				 struct once *once)
{
	struct ptl_recorded_stack stack;
	bool done;

	ptl_stack_take(&stack, map, (uintptr_t)once->addr, NULL, NULL);
	once->stack = &stack;
	done = write_marked(map, as, once);
	once->stack = NULL;
	ptl_stack_put(&stack);
	return done;
}

bool ptl_oneshot_running(struct ptl_map *map, const struct ptl_emit_as *as,
			 uint32_t id, const void *data, size_t size, size_t max,
			 const void *addr)
{
	struct once once = {&ptl_no_stack, data, addr, size, max, id, true};

	if (ptl_stack_goes(map, (uintptr_t)addr))
		return unwind_once(map, as, &once);
	return write_marked(map, as, &once);
}
