/* SPDX-License-Identifier: MIT */
/*
 * Recording an event.
 *
 * A thread owns a chunk in each stream it records in; where its next record
 * goes is one private word, changed by an un-locked compare-and-swap.  A
 * handler may interrupt anywhere: it finds the word either before or after
 * the change, takes the next place for itself, and the interrupted change, if
 * it was still to come, fails and is done again, clock included: so a
 * thread's time never goes back.
 *
 * This is the slow path, for any event in any state of its thread.  Most take
 * the short one (fastpath.h), whose steps are the same.
 */
#include "core/record/emit.h"

#include "core/buffer/chunk.h"
#include "core/buffer/leftover.h"
#include "core/buffer/counter.h"
#include "core/buffer/loss.h"
#include "core/format/record.h"
#include "core/record/attached.h"
#include "core/record/backpressure.h"
#include "core/record/child.h"
#include "core/record/fastpath.h"
#include "core/record/held.h"
#include "core/record/hot.h"
#include "core/record/oneshot.h"
#include "core/record/owner.h"
#include "core/record/pins.h"
#include "core/record/program.h"
#include "core/record/slots.h"
#include "core/record/stop.h"
#include "core/record/stacks.h"
#include "core/shm/registry.h"
#include "core/sys/check.h"
#include "core/sys/clock.h"
#include "core/sys/syscall.h"

void ptl_emit_as(struct ptl_map *map, const struct ptl_emit_as *as, uint32_t id,
		 const void *data, size_t size, size_t max, const void *addr)
{
	if (ptl_map_filters(map, id) ||
	    (ptl_map_state(map) == PTL_STATE_RUNNING &&
	     ptl_oneshot_running(map, as, id, data, size, max, addr)))
		return;
	ptl_emit_lose(map);
}

void ptl_emit_stacked_as(struct ptl_map *map, const struct ptl_emit_as *as,
			 const struct ptl_recorded_stack *stack, uint32_t id,
			 const void *data, size_t size)
{
	if (ptl_map_filters(map, id) ||
	    (ptl_map_state(map) == PTL_STATE_RUNNING &&
	     ptl_oneshot_stacked(map, as, stack, id, data, size,
				 (void *)(uintptr_t)stack->caller)))
		return;
	ptl_emit_lose(map);
}

/* By address: as arguments they are on the program's stack for each function of
 * the slow path that hands them on. */
struct event {
	const void *data;
	size_t size;
	uint64_t addr;
	uint32_t id; /* in the stream that it is recorded in */
	bool nested;
	bool stacked; /* addr is the stack that it has */
};

/* A stream of this slot that is full or dead; true: there may be another. */
static bool not_running(struct ptl_slot *slot, unsigned int i,
			struct ptl_map *map, uint32_t state, bool nested)
{
	if (slot->stream[i].map != map)
		return true;
	if (state & PTL_STATE_FULL)
		ptl_loss_add(map, 1, ptl_counter_now(map->clock));
	if (!(state & PTL_STATE_DEAD))
		return false;
	ptl_owner_forget(slot, i);
	ptl_attached_drop(i, map);
	if (!nested)
		ptl_attached_reap();
	return true;
}

/* Others hold a chunk for some ten instructions only. */
#define TRIES 100

/* So many times.  True: it is recorded. */
static bool try_shared(struct ptl_slot *slot, unsigned int i,
		       struct ptl_map *map,
		       const struct ptl_recorded_stack *stack,
		       const struct event *event, const struct ptl_emit_as *as,
		       unsigned int tries)
{
	for (unsigned int try = 0; try < tries; try++) {
		if (ptl_oneshot_stacked(map, as, stack, event->id, event->data,
					event->size,
					(void *)(uintptr_t)event->addr))
			return true;
		ptl_leftover_strays(map, ptl_thread.tid | map->tid_mark,
				    &slot->stream[i].word,
				    event->nested ? PTL_SLOT_PINS : 0);
		if (try > 10 && ptl_slots_may_call())
			ptl_sys(SYS_sched_yield, 0, 0, 0, 0);
	}
	return false;
}

/* Without a chunk of one's own: claim, write, let go. */
static PTL_COLD void record_shared(struct ptl_slot *slot, unsigned int i,
				   struct ptl_map *map,
				   const struct ptl_recorded_stack *stack,
				   const struct event *event)
{
	struct ptl_emit_as as;
	uint64_t last = ptl_counter_now(map->clock), now;
	struct ptl_room_wait wait = {0};
	unsigned int tries = TRIES;
	bool done;

	ptl_owner_as(slot, &as);
	for (;;) {
		done = try_shared(slot, i, map, stack, event, &as, tries);
		if (done)
			break;
		/* From here on a free chunk is worth more than tries. */
		tries = 1;
		if (event->nested || !ptl_backpressure_await(map, &wait))
			break;
		now = ptl_counter_now(map->clock);
		ptl_record_postpone(event->id, event->data, event->size,
				    now - last);
		last = now;
	}
	ptl_backpressure_awaited(map, &wait, done);
	if (!done)
		ptl_emit_lose(map);
}

/*
 * Is the slot attached by that mapping?  Not in the child of a handler that
 * forked since, where that is of a copy.  Asked after the word is loaded, which
 * is another there, and before it is changed: so it is changed by its own only.
 */
static bool is_mapped(const struct ptl_slot_stream *own,
		      const struct ptl_map *map)
{
	PTL_HANDLER_FENCE();
	return own->map == map;
}

/* The place of a record of `bytes' for this thread, and its time, while the
 * stream is in that state; NULL: not now. */
static void *reserve(struct ptl_slot_stream *own, struct ptl_map *map,
		     uint32_t state, size_t bytes, bool nested, uint64_t *now)
{
	uint64_t word = __atomic_load_n(&own->word, __ATOMIC_RELAXED);
	uint64_t offset = ptl_word_offset(word), end = offset + bytes;
	unsigned char *chunk = ptl_map_chunk(map, ptl_word_chunk(word));

	bool open =
		is_mapped(own, map) && (!nested || ptl_owner_is_bounded(own));

	*now = ptl_counter_now(map->clock);
	PTL_HANDLER_FENCE();
	PTL_CHECK(!open || !ptl_word_holds(word) ||
		  ptl_held_is_ours(own, word, chunk));
	if (!open || end > map->chunk_size || *now >> 32 >= own->until ||
	    ptl_head_state(map->head) != state ||
	    !ptl_word_change(&own->word, word, word + (bytes >> 3)))
		return NULL;
	PTL_CHECK(ptl_held_is_blank(own, chunk + offset));
	ptl_slot_count(own);
	ptl_record_bound(chunk + end, map->chunk_size - end);
	return chunk + offset;
}

/* After reserve() failed.  False: the thread can have no chunk to keep. */
static bool make_room(struct ptl_slot *slot, unsigned int i,
		      struct ptl_map *map, size_t bytes, uint64_t now,
		      bool nested)
{
	struct ptl_slot_stream *own = &slot->stream[i];
	uint64_t word = __atomic_load_n(&own->word, __ATOMIC_RELAXED);

	if (!is_mapped(own, map))
		return true;
	/* Behind a place that is not bounded nothing can be written before it
	 * is; but then the rest of that chunk is of use again. */
	if (ptl_word_holds(word) && (now >> 32 >= own->until ||
				     (nested && !ptl_owner_is_bounded(own)))) {
		ptl_owner_release(slot, i, nested);
		return true;
	}
	/* Was it only that a handler came in between? */
	if (ptl_word_offset(word) + bytes <= map->chunk_size)
		return true;
	/* In one of its streams. */
	if (!nested && i == (unsigned int)__builtin_ctzll(slot->attached))
		ptl_hot_look(map, word);
	if (!ptl_owner_chunk(slot, i, map, word, bytes, nested))
		return false;
	ptl_stop_orphan(map);
	if (ptl_word_holds(word))
		ptl_attached_own_life();
	return true;
}

/* In a stream seen to run.  False: the slot has another mapping of it now.  Not
 * part of its callers, whose stack unwinding is on, too. */
static __attribute__((noinline)) bool
record_with(struct ptl_slot *slot, unsigned int i, struct ptl_map *map,
	    uint32_t state, const struct ptl_recorded_stack *stack,
	    const struct event *event)
{
	struct ptl_slot_stream *own = &slot->stream[i];
	size_t cut = PTL_MIN(event->size, map->max_data), bytes;
	uint32_t flags = event->size > cut ? PTL_RECORD_TRUNCATED : 0;
	unsigned int tries = TRIES;
	uint64_t now, ended = 0;
	void *to;

	if (ptl_record_extended(event->id, cut, event->addr))
		flags |= PTL_RECORD_EXTENDED;
	bytes = ptl_record_bytes(cut, flags & PTL_RECORD_EXTENDED) +
		ptl_record_stack_bytes(stack->nr);
	while (!(to = reserve(own, map, state, bytes, event->nested, &now))) {
		if (!is_mapped(own, map))
			return false;
		ended = ended ? ended : now;
		state = ptl_head_state(map->head);
		if (!ptl_state_runs(state)) {
			/* The stream has become full on our way here. */
			if (state & PTL_STATE_FULL)
				ptl_loss_add(map, 1, now);
			return true;
		}
		/* Where handlers record all the time, it gets no place among
		 * theirs. */
		if (tries-- == 0 ||
		    !make_room(slot, i, map, bytes, now, event->nested)) {
			record_shared(slot, i, map, stack, event);
			return true;
		}
	}
	ptl_record_postpone(event->id, event->data, event->size,
			    ended ? now - ended : 0);
	ptl_record_write_stacked(to, stack->frame, stack->nr, now, event->id,
				 flags, event->data, cut, event->addr);
	ptl_oneshot_told(map->head);
	return true;
}

/* With the stack that came with it. */
static PTL_COLD bool record_given(struct ptl_slot *slot, unsigned int i,
				  struct ptl_map *map, uint32_t state,
				  const struct event *event)
{
	const struct ptl_recorded_stack *stack =
		(const struct ptl_recorded_stack *)(uintptr_t)event->addr;
	struct event plain = *event;

	plain.addr = stack->caller;
	return record_with(slot, i, map, state, stack, &plain);
}

static PTL_COLD bool record_stacked(struct ptl_slot *slot, unsigned int i,
				    struct ptl_map *map, uint32_t state,
				    const struct event *event)
{
	struct ptl_recorded_stack stack;
	bool done;

	ptl_stack_take(&stack, map, event->addr, slot->desk,
		       event->nested ? NULL : slot->walked);
	done = record_with(slot, i, map, state, &stack, event);
	ptl_stack_put(&stack);
	return done;
}

/* A log is to say whose first event of ours this is. */
static PTL_COLD void introduce(const struct ptl_slot *slot, struct ptl_map *map,
			       uint32_t id)
{
	struct ptl_emit_as as;

	ptl_owner_as(slot, &as);
	ptl_program_introduce(map, &as, id);
}

/* In stream bit i, if it runs and does not filter the type.  False: again. */
static bool try_record(struct ptl_slot *slot, unsigned int i,
		       const struct event *event)
{
	struct ptl_slot_stream *own = &slot->stream[i];
	struct ptl_map *map;
	uint32_t state;

	/* A dead one may have a successor under the same bit. */
	if (!own->map && !ptl_owner_attach(slot, i)) {
		/* Nor is it known whether it runs, or filters it. */
		ptl_registry_miss(ptl_attached_entry(), i);
		return true;
	}
	map = own->map;
	if (!map)
		return true;
	/* Before the filter: of a stream that was stopped, filtered and started
	 * again the new filter comes with the new START.
	 * Pairs with ptl_head_change(). */
	state = atomic_load_explicit(&map->head->state, memory_order_acquire);
	if (ptl_map_filters(map, event->id))
		return true;
	if (ptl_counter_denied(map->clock) && !(state & PTL_STATE_DEAD)) {
		if (state & (PTL_STATE_RUNNING | PTL_STATE_FULL))
			ptl_loss_add(map, 1, ptl_counter_now(map->clock));
		return true;
	}
	if (!ptl_state_runs(state))
		return !not_running(slot, i, map, state, event->nested);
	if (!ptl_program_is_told(map))
		introduce(slot, map, event->id);
	if (PTL_UNLIKELY(event->stacked))
		return record_given(slot, i, map, state, event);
	if (ptl_stack_goes(map, event->addr))
		return record_stacked(slot, i, map, state, event);
	return record_with(slot, i, map, state, &ptl_no_stack, event);
}

static void record(struct ptl_slot *slot, unsigned int i,
		   const struct event *event)
{
	while (!try_record(slot, i, event))
		;
}

/* No handler stands less than this below what it interrupted: the kernel puts
 * the registers in between. */
#define SIGNAL_FRAME 512

/*
 * May the frame that a handler interrupted still write?  It is over if we stand
 * on the same stack, no deeper than it: it was left by siglongjmp().  On an
 * alternate stack that is not known.
 */
static bool frame_gone(uint64_t frame)
{
	struct {
		void *sp;
		int flags;
		size_t size;
	} ss = {0};

	if ((uintptr_t)__builtin_frame_address(0) + SIGNAL_FRAME < frame ||
	    !ptl_slots_may_call())
		return false;
	return ptl_sys(SYS_sigaltstack, 0, &ss, 0, 0) == 0 && !(ss.flags & 1);
}

/*
 * The thread is not idle, or has no slot that is good: after a fork, during a
 * vfork, or in a handler that interrupted a recorder.
 */
static PTL_COLD void emit_not_idle(uint32_t id, const void *data, size_t size,
				   const void *addr, uint64_t active)
{
	struct event event = {data, size,  (uintptr_t)addr,
			      0,    false, id & PTL_EMIT_STACKED};
	struct ptl_slot *slot;
	uint64_t busy;

	active = ptl_child_settle(active);
	slot = ptl_slot_mine();
	if (!slot)
		return;
	slot->overtaken = true;
	if (slot->attention &&
	    ptl_child_record(slot, active, id, data, size, addr))
		return;
	busy = slot->busy;
	event.nested = busy > PTL_SLOT_IDLE && !frame_gone(busy);
	if (!event.nested)
		ptl_slot_set_busy(slot);
	if (!event.nested && busy > PTL_SLOT_IDLE) {
		ptl_owner_uncount(slot);
		ptl_owner_leave(slot);
		ptl_desk_leave(slot->desk);
	}
	for (; active; active &= active - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(active);

		event.id = ptl_attached_id(i, id & ~PTL_EMIT_STACKED);
		record(slot, i, &event);
	}
	if (event.nested)
		return;
	/* A frame that was left may have been taking them away. */
	ptl_pins_clear(slot);
	PTL_CHECK(ptl_held_pins_are_seen(slot));
	slot->busy = slot->attention ? 0 : PTL_SLOT_IDLE;
}

void ptl_emit(uint32_t id, const void *data, size_t size, const void *addr,
	      uint64_t active)
{
	ptl_fastpath_emit(id, data, size, addr, active, 0, ptl_fastpath_record,
			  ptl_emit_long);
}

void ptl_emit_stacked(uint32_t id, const void *data, size_t size,
		      const struct ptl_recorded_stack *stack, uint64_t active)
{
	if (!ptl_outsider())
		emit_not_idle(id | PTL_EMIT_STACKED, data, size, stack, active);
}

/* The next event may take the fast path. */
static void remember(struct ptl_slot_stream *own)
{
	struct ptl_map *map = own->map;
	uint16_t state;

	ptl_thread_forget();
	if (!map)
		return;
	/* What it selects may be said since it was mapped. */
	ptl_attached_learn(map);
	ptl_thread.head = map->head;
	state = ptl_head_state(map->head);
	own->gate = ptl_state_runs(state) ? ptl_gate_of(state) : PTL_GATE_NONE;
	PTL_HANDLER_FENCE();
	ptl_thread.last = own;
	PTL_HANDLER_FENCE();
	/* A handler has forgotten it before it could see that it is here. */
	if (own->map != map)
		ptl_thread_forget();
}

/* What was recorded by ptl_emit_long() is whole. */
PTL_INLINE void finish(struct ptl_slot *slot)
{
	if (PTL_UNLIKELY(ptl_slot_pinned(slot)))
		ptl_pins_clear(slot);
	PTL_CHECK(ptl_held_pins_are_seen(slot));
	ptl_slot_unmark(slot);
}

void ptl_emit_long(uint32_t id, const void *data, size_t size, const void *addr,
		   uint64_t active)
{
	struct event event = {data, data ? size : 0, (uintptr_t)addr,
			      id,   false,	     false};
	bool several = active & (active - 1);
	struct ptl_slot *slot;

	if (PTL_UNLIKELY(ptl_outsider()))
		return;
	slot = ptl_thread.slot;
	if (PTL_UNLIKELY(!ptl_slot_mark(slot))) {
		emit_not_idle(id, data, event.size, addr, active);
		return;
	}
	slot->when = 0;
	slot->overtaken = false;
	/* Of one stream alone this was tried. */
	while (several &&
	       ptl_fastpath_try(id, event.data, event.size,
				(void *)(uintptr_t)event.addr,
				&slot->stream[__builtin_ctzll(active)])) {
		active &= active - 1;
		if (!active) {
			finish(slot);
			return;
		}
	}
	for (; active; active &= active - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(active);
		struct ptl_slot_stream *own = &slot->stream[i];

		event.id = ptl_attached_id(i, id);
		record(slot, i, &event);
		remember(own);
		/* That may have taken long. */
		slot->when = 0;
	}
	finish(slot);
	ptl_hot_tell();
}

bool ptl_emit_wanted(uint64_t active, uint32_t id)
{
	struct ptl_slot *slot;
	bool mark, wanted = false;

	active = ptl_child_settle(active);
	slot = ptl_slot_mine();
	if (!slot)
		return false;
	mark = ptl_slot_mark(slot);
	for (; active && !wanted; active &= active - 1) {
		struct ptl_map *map =
			ptl_attached_map((unsigned int)__builtin_ctzll(active));

		/* What cannot be asked counts as lost: see record(). */
		wanted = !map || (ptl_map_state(map) == PTL_STATE_RUNNING &&
				  !ptl_map_filters(map, id));
	}
	if (mark)
		ptl_slot_unmark(slot);
	return wanted;
}

uint64_t ptl_emit_unfiltered(uint64_t active, uint32_t id)
{
	uint64_t passing = 0, left;
	struct ptl_slot *slot;
	bool mark;

	active = ptl_child_settle(active);
	slot = ptl_slot_mine();
	if (!slot)
		return 0;
	mark = ptl_slot_mark(slot);
	for (left = active; left; left &= left - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(left);
		struct ptl_map *map = ptl_attached_map(i);

		if (!map || !ptl_map_filters(map, ptl_attached_id(i, id)))
			passing |= UINT64_C(1) << i;
	}
	if (mark)
		ptl_slot_unmark(slot);
	return passing;
}

uint64_t ptl_emit_for_calls_long(uint64_t active, uint32_t id)
{
	uint64_t wanted = 0, left;
	struct ptl_slot *slot;
	bool mark;

	if (ptl_thread.ended)
		return 0;
	active = ptl_child_settle(active) & ptl_attached_calls();
	if (!active)
		return 0;
	slot = ptl_slot_mine();
	if (!slot)
		return 0;
	mark = ptl_slot_mark(slot);
	/* Without attaching: a thread that records nothing shall hold no
	 * mapping. */
	if (mark && active && !(active & (active - 1)))
		remember(&slot->stream[__builtin_ctzll(active)]);
	for (left = active; left; left &= left - 1) {
		struct ptl_map *map =
			ptl_attached_map((unsigned int)__builtin_ctzll(left));

		if (map && ptl_head_for_calls(map->head, id))
			wanted |= left & -left;
	}
	if (mark)
		ptl_slot_unmark(slot);
	return wanted;
}

static struct ptl_slot *own_slot(void)
{
	struct ptl_slot *slot = ptl_thread.slot;

	return ptl_slot_owned(slot) ? slot : NULL;
}

void ptl_emit_release(void)
{
	struct ptl_slot *slot = own_slot();

	if (slot)
		ptl_owner_release_all(slot);
}

void ptl_emit_leave(unsigned int i)
{
	struct ptl_slot *slot = own_slot();

	if (slot)
		ptl_owner_forget(slot, i);
}
