/* SPDX-License-Identifier: MIT */
/*
 * The chunks that a thread owns.  The order of steps is safe against the
 * thread's own handlers: a chunk gets its span before the word shows it, and
 * the old one is closed only after.  A chunk that a handler closes over a
 * record that it interrupted is pinned: it is not reused before that record's
 * last byte is stored.  Then, if it was not full, others go on in it.
 */
#include "core/record/owner.h"

#include "core/buffer/counter.h"
#include "core/buffer/leftover.h"
#include "core/format/record.h"
#include "core/record/attached.h"
#include "core/record/held.h"
#include "core/record/pins.h"
#include "core/record/slots.h"
#include "core/record/sums.h"
#include "core/sys/check.h"
#include "core/sys/clock.h"
#include "core/sys/wait.h"

#include <string.h>

static bool span_holds(struct ptl_map *map, const struct ptl_claim *claim,
		       const struct ptl_emit_as *as, uint64_t now)
{
	struct ptl_shm_span span;
	struct ptl_record rec;
	uint64_t at = claim->span - 1;

	if (claim->span == 0 || at >= claim->offset || at % 8 ||
	    !ptl_record_parse(ptl_map_chunk(map, claim->index) + at,
			      map->chunk_size - at, &rec) ||
	    rec.id != PTL_ID_SPAN || rec.data_size != sizeof(span))
		return false;
	memcpy(&span, rec.data, sizeof(span));
	return span.pid == as->pid && span.tid == as->tid &&
	       span.thread == as->thread && span.image == as->image &&
	       span.pidns == ptl_map_pidns(map, as->pidns) &&
	       now - span.counter < PTL_SPAN_TICKS;
}

void ptl_owner_span(struct ptl_map *map, struct ptl_claim *claim,
		    const struct ptl_emit_as *as, uint64_t now)
{
	struct ptl_shm_span span = {
		.pid = as->pid,
		.tid = as->tid,
		.thread = as->thread,
		.counter = now,
		.image = as->image,
		.pidns = ptl_map_pidns(map, as->pidns),
	};
	unsigned char *to;

	if (span_holds(map, claim, as, now))
		return;
	to = ptl_map_chunk(map, claim->index) + claim->offset;
	claim->span = claim->offset + 1;
	claim->offset += PTL_SPAN_BYTES;
	ptl_record_bound(to + PTL_SPAN_BYTES, map->chunk_size - claim->offset);
	ptl_record_write(to, now, PTL_ID_SPAN, 0, &span, sizeof(span), 0);
	atomic_store_explicit(&map->table[claim->index].span, claim->span,
			      memory_order_relaxed);
}

void ptl_owner_as(const struct ptl_slot *slot, struct ptl_emit_as *as)
{
	*as = (struct ptl_emit_as){
		.pid = slot->pid,
		.tid = ptl_thread.tid,
		.thread = slot->thread,
		.image = atomic_load_explicit(&ptl_attached_entry()->image,
					      memory_order_relaxed),
		.pidns = (uint32_t)ptl_attached.ident.pidns,
	};
}

void ptl_owner_self(struct ptl_emit_as *as)
{
	struct ptl_slot *slot = ptl_slot_mine();

	if (slot)
		ptl_owner_as(slot, as);
	else
		*as = (struct ptl_emit_as){
			.pid = ptl_attached.ident.pid,
			.tid = ptl_attached.ident.pid,
			.pidns = (uint32_t)ptl_attached.ident.pidns,
		};
}

/* May the fast path be taken?  Stacks are not recorded on it, other families'
 * types not translated. */
static bool takes_short(unsigned int i, const struct ptl_map *map)
{
	return map->clock == PTL_CLOCK_TSC && !ptl_thread.no_counter &&
	       !map->stack_depth && !(ptl_attached_strangers() >> i & 1);
}

void ptl_owner_allow(struct ptl_slot *slot, bool counter)
{
	ptl_thread.no_counter = !counter;
	ptl_thread_forget();
	ptl_sums_close(slot);
	for (uint64_t left = slot->attached; left; left &= left - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(left);
		struct ptl_slot_stream *own = &slot->stream[i];
		const struct ptl_map *map = own->map;

		own->bit = 0;
		PTL_HANDLER_FENCE();
		if (map && takes_short(i, map))
			own->bit = UINT64_C(1) << i;
	}
	PTL_HANDLER_FENCE();
}

/* The slot's mapping of stream bit i, or NULL.  In the child of a handler that
 * forks here the stream is mapped elsewhere (ptl_map_part()). */
static struct ptl_map *attach_map(struct ptl_slot *slot, unsigned int i)
{
	struct ptl_slot_stream *own = &slot->stream[i];
	struct ptl_map *map, *none;

	while ((map = ptl_attached_map(i)) != NULL) {
		none = NULL;
		__atomic_fetch_or(&slot->attached, UINT64_C(1) << i,
				  __ATOMIC_RELAXED);
		/* No word of a former stream may survive into this one. */
		if (!own->map)
			__atomic_store_n(&own->word, ptl_word_none(map),
					 __ATOMIC_RELAXED);
		__atomic_compare_exchange_n(&own->map, &none, map, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
		PTL_HANDLER_FENCE();
		if (own->map != map || ptl_attached_has(i, map))
			break;
		own->map = NULL;
	}
	return own->map;
}

bool ptl_owner_attach(struct ptl_slot *slot, unsigned int i)
{
	struct ptl_slot_stream *own = &slot->stream[i];
	struct ptl_map *map = attach_map(slot, i);

	/* See ptl_core_no_syscalls(). */
	if (map && (!ptl_slots_may_call() || ptl_sys_door == PTL_DOOR_NARROW))
		atomic_store_explicit(&map->head->mute, 1,
				      memory_order_relaxed);
	/* If a handler was faster, what it filled in is filled in again. */
	do {
		if (!map)
			return false;
		own->units = map->chunk_size >> 3;
		own->max_data = PTL_MIN(map->max_data, PTL_SHORT_DATA);
		own->gate = PTL_GATE_NONE;
		PTL_HANDLER_FENCE();
		if (takes_short(i, map))
			own->bit = UINT64_C(1) << i;
		PTL_HANDLER_FENCE();
		if (own->map == map)
			return true;
		own->bit = 0;
		map = own->map;
	} while (true);
}

/* Events that were counted, or 0 if a handler came in between. */
static uint32_t counted(uint32_t count, bool nested)
{
	return nested || count >= PTL_COUNT_LOST ? 0 : count;
}

static void close_chunk(struct ptl_slot *slot, unsigned int i,
			struct ptl_map *map, uint64_t word, uint32_t events,
			bool nested)
{
	enum ptl_progress is = nested ? ptl_progress(map, word) : PTL_COMMITTED;
	bool pinned = is != PTL_COMMITTED;

	/* The chunk is not full if it was only not bounded. */
	if (pinned)
		ptl_pins_set(slot, i, word, is == PTL_RESERVED);
	ptl_chunk_close(map, ptl_word_chunk(word), ptl_word_offset(word),
			events, pinned);
	if (ptl_slots_may_call())
		ptl_wait_wake(&map->head->flusher);
}

static uint32_t chunk_of(const struct ptl_slot_stream *own)
{
	return ptl_word_chunk(__atomic_load_n(&own->word, __ATOMIC_RELAXED));
}

/* The base goes with the word's chunk, whoever comes in between.  (Not with the
 * word: each record of a handler's changes that, and there may be no end of
 * handlers.) */
static void set_base(struct ptl_slot_stream *own)
{
	const struct ptl_map *map;
	uint32_t chunk;

	do {
		chunk = chunk_of(own);
		map = own->map;
		if (!map)
			return;
		own->base = ptl_map_chunk(map, chunk);
		PTL_HANDLER_FENCE();
	} while (chunk_of(own) != chunk || own->map != map);
}

static bool next_chunk(struct ptl_slot *slot, unsigned int i,
		       struct ptl_map *map, uint64_t old, size_t bytes,
		       bool nested, bool suspect)
{
	struct ptl_slot_stream *own = &slot->stream[i];
	struct ptl_emit_as as;
	struct ptl_claim claim;
	uint64_t now, word;
	uint32_t events;

	if (!ptl_chunk_claim(
		    map, ptl_thread.tid | map->tid_mark, bytes + PTL_SPAN_BYTES,
		    suspect ? PTL_CLAIM_KEEP : PTL_CLAIM_NEXT,
		    ptl_slots_may_call() ? PTL_CLAIM_GROWS : PTL_CLAIM_STORES,
		    &claim)) {
		/* This event goes to a chunk of others now.  The recorder we
		 * interrupted may have read its clock, and must not go on
		 * with that: its word changes. */
		if (nested)
			ptl_owner_release(slot, i, true);
		return false;
	}
	events = counted(own->count, nested);
	/* A handler does not know whether the record that it interrupted is
	 * counted. */
	own->count = nested || claim.offset ? PTL_COUNT_LOST : 0;
	PTL_HANDLER_FENCE();
	ptl_owner_as(slot, &as);
	now = ptl_counter_now(map->clock);
	ptl_owner_span(map, &claim, &as, now);
	word = ptl_word(claim.gen, claim.index, claim.offset);
	PTL_CHECK(ptl_word_may_change(old, word));
	/* A fast path that we interrupted has the old word and fails to change
	 * it; one that interrupts us would not be the fast one. */
	own->base = ptl_map_chunk(map, claim.index);
	PTL_HANDLER_FENCE();
	if (!ptl_word_change(&own->word, old, word)) {
		/* A handler was here and has one already. */
		set_base(own);
		own->count = PTL_COUNT_LOST;
		ptl_chunk_release(map, claim.index,
				  ptl_thread.tid | map->tid_mark, claim.offset);
		return true;
	}
	/* A handler found the stream dead and forgot it: so do we. */
	if (own->map != map)
		return true;
	own->until = (uint32_t)((now + PTL_SPAN_TICKS) >> 32);
	if (ptl_word_holds(old))
		close_chunk(slot, i, map, old, events, nested);
	while (suspect &&
	       ptl_leftover_strays(map, ptl_thread.tid | map->tid_mark,
				   &own->word, nested ? PTL_SLOT_PINS : 0))
		;
	return true;
}

bool ptl_owner_chunk(struct ptl_slot *slot, unsigned int i, struct ptl_map *map,
		     uint64_t old, size_t bytes, bool nested)
{
	const uint64_t bit = UINT64_C(1) << i, claiming = slot->claiming;
	/* After siglongjmp(), or of a thread that had our number before, there
	 * may be chunks that nobody closes: strays. */
	bool suspect = nested || claiming & bit || !ptl_word_holds(old), done;

	slot->claiming = claiming | bit;
	PTL_HANDLER_FENCE();
	done = next_chunk(slot, i, map, old, bytes, nested, suspect);
	PTL_HANDLER_FENCE();
	slot->claiming = nested || !done ? claiming : claiming & ~bit;
	return done;
}

void ptl_owner_release(struct ptl_slot *slot, unsigned int i, bool nested)
{
	struct ptl_slot_stream *own = &slot->stream[i];
	uint64_t word = __atomic_load_n(&own->word, __ATOMIC_RELAXED);
	struct ptl_map *map;

	/* The mapping after the word: see ptl_word_none(). */
	PTL_HANDLER_FENCE();
	map = own->map;
	if (!ptl_word_holds(word) || !map ||
	    !ptl_word_change(&own->word, word, ptl_word_none(map)))
		return;
	if (nested && ptl_progress(map, word) != PTL_COMMITTED)
		close_chunk(slot, i, map, word, 0, true);
	else
		ptl_chunk_release(map, ptl_word_chunk(word),
				  ptl_thread.tid | map->tid_mark,
				  ptl_word_offset(word));
}

bool ptl_owner_is_bounded(const struct ptl_slot_stream *own)
{
	uint64_t word = __atomic_load_n(&own->word, __ATOMIC_RELAXED);
	const struct ptl_map *map = own->map;

	return !map || !ptl_word_holds(word) ||
	       ptl_progress(map, word) != PTL_RESERVED;
}

void ptl_owner_release_all(struct ptl_slot *slot)
{
	ptl_sums_release(slot);
	for (uint64_t left = slot->attached; left; left &= left - 1)
		ptl_owner_release(slot, (unsigned int)__builtin_ctzll(left),
				  slot->busy > PTL_SLOT_IDLE);
}

void ptl_owner_uncount(struct ptl_slot *slot)
{
	for (uint64_t left = slot->attached; left; left &= left - 1)
		slot->stream[__builtin_ctzll(left)].count = PTL_COUNT_LOST;
}

void ptl_owner_leave(struct ptl_slot *slot)
{
	for (uint64_t left = slot->attached; left; left &= left - 1) {
		struct ptl_slot_stream *own =
			&slot->stream[__builtin_ctzll(left)];
		uint64_t word = __atomic_load_n(&own->word, __ATOMIC_RELAXED);
		struct ptl_map *map = own->map;

		if (!map || !ptl_word_holds(word))
			continue;
		ptl_leftover_fill(map, ptl_word_chunk(word),
				  ptl_word_offset(word));
		/* The thread may have set the base of a chunk that it did not
		 * come to have. */
		set_base(own);
	}
}

void ptl_owner_forget(struct ptl_slot *slot, unsigned int i)
{
	struct ptl_slot_stream *own = &slot->stream[i];

	own->bit = 0;
	PTL_HANDLER_FENCE();
	if (ptl_thread.last == own)
		ptl_thread_forget();
	__atomic_store_n(&own->word, ptl_word_none(NULL), __ATOMIC_RELAXED);
	PTL_HANDLER_FENCE();
	own->map = NULL;
	/* Another stream will have this number. */
	ptl_pins_forget(slot, i);
	ptl_sums_forget(slot, i);
}
