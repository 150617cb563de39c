/* SPDX-License-Identifier: MIT */
/*
 * Claiming, closing and freeing chunks.  Lock-free: a compare-and-swap that
 * fails means that somebody else got on.  A chunk that is FREE is all zero;
 * whoever frees or takes over zeroes it, in the state CLEANING with its own
 * tid, so that the work of a killed cleaner is done again by the next.
 */
#include "core/chunk.h"

#include "core/ident.h"
#include "core/record.h"
#include "core/slot.h"
#include "core/sys.h"

#include <string.h>
#include <trace.h>

/* Chunks that no thread may keep for itself. */
#define KEPT_FREE 4

static bool own_change(struct ptl_shm_chunk *chunk, uint64_t from, uint64_t to)
{
	/*
	 * Release what was done to the chunk, acquire what was done before.
	 * Pairs with every other own_change() and own_load().
	 */
	return atomic_compare_exchange_strong_explicit(&chunk->own, &from, to,
						       memory_order_acq_rel,
						       memory_order_relaxed);
}

static uint64_t own_load(struct ptl_shm_chunk *chunk)
{
	/* Pairs with own_change(). */
	return atomic_load_explicit(&chunk->own, memory_order_acquire);
}

static uint64_t used_load(const struct ptl_map *map,
			  struct ptl_shm_chunk *chunk)
{
	uint64_t used =
		atomic_load_explicit(&chunk->used, memory_order_relaxed);

	/* Foreign bytes: whatever it says, the chunk ends where it ends. */
	return PTL_MIN(used & ~UINT64_C(7), map->chunk_size);
}

static void set_seq(struct ptl_map *map, struct ptl_shm_chunk *chunk)
{
	atomic_store_explicit(&chunk->seq,
			      atomic_fetch_add_explicit(&map->head->claim_seq,
							1,
							memory_order_relaxed),
			      memory_order_relaxed);
}

static bool claim_partial(struct ptl_map *map, uint32_t tid, uint64_t bytes,
			  struct ptl_claim *claim)
{
	for (uint32_t i = 0; i < map->nr_chunks; i++) {
		struct ptl_shm_chunk *chunk = &map->table[i];
		uint64_t own = own_load(chunk), used, span;
		uint32_t gen = ptl_own_gen(own);

		if (ptl_own_state(own) != PTL_CHUNK_PARTIAL ||
		    map->chunk_size - used_load(map, chunk) < bytes ||
		    !own_change(chunk, own, ptl_own(PTL_CHUNK_OPEN, gen, tid)))
			continue;
		/* Another may have had it meanwhile and left it like this:
		 * what is in it is only known now that it is ours. */
		used = used_load(map, chunk);
		span = atomic_load_explicit(&chunk->span, memory_order_relaxed);
		if (map->chunk_size - used < bytes) {
			ptl_chunk_release(map, i, tid, used);
			continue;
		}
		set_seq(map, chunk);
		*claim = (struct ptl_claim){i, gen, used, span};
		return true;
	}
	return false;
}

static bool claim_free(struct ptl_map *map, uint32_t tid,
		       struct ptl_claim *claim)
{
	uint64_t start =
		atomic_load_explicit(&map->head->hint, memory_order_relaxed);

	for (uint32_t n = 0; n < map->nr_chunks; n++) {
		uint32_t i = (uint32_t)((start + n) % map->nr_chunks);
		struct ptl_shm_chunk *chunk = &map->table[i];
		uint64_t own = own_load(chunk);
		uint32_t gen = ptl_own_gen(own);

		if (ptl_own_state(own) != PTL_CHUNK_FREE ||
		    !own_change(chunk, own, ptl_own(PTL_CHUNK_OPEN, gen, tid)))
			continue;
		set_seq(map, chunk);
		atomic_store_explicit(&map->head->hint, i + 1,
				      memory_order_relaxed);
		*claim = (struct ptl_claim){i, gen, 0, 0};
		return true;
	}
	return false;
}

/* Zeroes a chunk we hold in CLEANING and gives it to `next_state'. */
static void clean(struct ptl_map *map, uint32_t index, uint64_t held,
		  uint32_t next_state)
{
	struct ptl_shm_chunk *chunk = &map->table[index];
	uint32_t gen = ptl_gen_next(ptl_own_gen(held));
	uint32_t tid = next_state == PTL_CHUNK_OPEN ? ptl_own_tid(held) : 0;

	memset(ptl_map_chunk(map, index), 0, used_load(map, chunk));
	atomic_store_explicit(&chunk->used, 0, memory_order_relaxed);
	atomic_store_explicit(&chunk->span, 0, memory_order_relaxed);
	atomic_store_explicit(&chunk->read, ptl_read(gen, 0),
			      memory_order_relaxed);
	own_change(chunk, held, ptl_own(next_state, gen, tid));
}

/* How many events of a chunk about to be overwritten nobody has read, counted
 * up to `max', and when the first of them was. */
static uint64_t count_unread(const struct ptl_map *map, uint32_t index,
			     uint64_t read, uint64_t max, uint64_t *since)
{
	uint64_t from = ptl_read_offset(read);
	const unsigned char *base = ptl_map_chunk(map, index);
	struct ptl_shm_span span = {0};
	uint64_t cleared =
		atomic_load_explicit(&map->head->cleared, memory_order_relaxed);
	struct ptl_record rec;
	uint64_t events = 0, counter;

	for (uint64_t off = 0;
	     events < max &&
	     ptl_record_parse(base + off, map->chunk_size - off, &rec);
	     off += rec.bytes) {
		if (!rec.committed)
			continue;
		if (rec.id == PTL_ID_SPAN && rec.data_size == sizeof(span))
			memcpy(&span, rec.data, sizeof(span));
		if (off < from || rec.id >= PTL_ID_LIMIT)
			continue;
		counter = ptl_record_counter(rec.time, span.counter);
		if (counter >= cleared && events++ == 0)
			*since = counter;
	}
	return events;
}

static void lost_since(struct ptl_map *map, uint64_t since)
{
	_Atomic uint64_t *word = &map->head->lost_since;
	uint64_t old = atomic_load_explicit(word, memory_order_relaxed);

	while ((old == 0 || since < old) &&
	       !atomic_compare_exchange_weak_explicit(word, &old, since,
						      memory_order_relaxed,
						      memory_order_relaxed))
		;
}

void ptl_chunk_lost(struct ptl_map *map, uint64_t events, uint64_t since)
{
	struct ptl_shm_head *head = map->head;

	atomic_fetch_add_explicit(&head->lost, events, memory_order_relaxed);
	atomic_store_explicit(&head->overrun, 1, memory_order_relaxed);
	lost_since(map, since);
}

/*
 * Takes a chunk from its readers.  The loss is announced before they cannot
 * read it any more: else they would find what follows and see no gap.
 */
static bool take_unread(struct ptl_map *map, uint32_t index, uint64_t own,
			uint64_t held)
{
	struct ptl_shm_chunk *chunk = &map->table[index];
	uint64_t first = 0, since = 0, events, read;

	read = atomic_load_explicit(&chunk->read, memory_order_relaxed);
	if (count_unread(map, index, read, 1, &first))
		lost_since(map, first);
	if (own_change(chunk, own, held)) {
		/* From here on a reader's step fails: what it copied is
		 * either consumed already or lost and counted, never both.
		 * Pairs with ptl_cursor_consume(). */
		read = atomic_exchange_explicit(&chunk->read, 0,
						memory_order_acq_rel);
		events = count_unread(map, index, read, UINT64_MAX, &since);
	} else {
		held = 0;
		events = 0;
	}
	/* What was announced and then read was not lost. */
	if (first && since != first)
		atomic_compare_exchange_strong_explicit(
			&map->head->lost_since, &first, since,
			memory_order_relaxed, memory_order_relaxed);
	if (events)
		ptl_chunk_lost(map, events, since);
	return held != 0;
}

/* LOOP: the oldest chunk whose owner is done makes room for the new. */
static bool take_over(struct ptl_map *map, uint32_t tid,
		      struct ptl_claim *claim)
{
	for (;;) {
		uint64_t best_seq = UINT64_MAX, best_own = 0, held;
		uint32_t best = UINT32_MAX;

		for (uint32_t i = 0; i < map->nr_chunks; i++) {
			uint64_t own = own_load(&map->table[i]);
			uint64_t seq = atomic_load_explicit(
				&map->table[i].seq, memory_order_relaxed);
			uint32_t state = ptl_own_state(own);

			if ((state != PTL_CHUNK_CLOSED &&
			     state != PTL_CHUNK_PARTIAL) ||
			    ptl_own_pinned(own) || seq >= best_seq)
				continue;
			best = i;
			best_seq = seq;
			best_own = own;
		}
		if (best == UINT32_MAX)
			return false;
		held = ptl_own(PTL_CHUNK_CLEANING, ptl_own_gen(best_own), tid);
		if (!take_unread(map, best, best_own, held))
			continue;
		clean(map, best, held, PTL_CHUNK_OPEN);
		set_seq(map, &map->table[best]);
		*claim = (struct ptl_claim){
			best, ptl_gen_next(ptl_own_gen(held)), 0, 0};
		return true;
	}
}

/* Are there more than a few chunks nobody owns? */
static bool plenty(const struct ptl_map *map, bool loop)
{
	uint32_t spare = 0;

	for (uint32_t i = 0; i < map->nr_chunks && spare <= KEPT_FREE; i++) {
		uint64_t own = own_load(&map->table[i]);
		uint32_t state = ptl_own_state(own);

		spare += state == PTL_CHUNK_FREE ||
			 state == PTL_CHUNK_PARTIAL ||
			 (loop && state == PTL_CHUNK_CLOSED);
	}
	return spare > KEPT_FREE;
}

bool ptl_chunk_claim(struct ptl_map *map, uint32_t tid, uint64_t bytes,
		     bool keep, bool look, struct ptl_claim *claim)
{
	bool loop = map->head->attr.stream_policy == POSIX_TRACE_LOOP;

	if (bytes > map->chunk_size)
		return false;
	for (;;) {
		if ((!keep || plenty(map, loop)) &&
		    (claim_partial(map, tid, bytes, claim) ||
		     claim_free(map, tid, claim) ||
		     (loop && take_over(map, tid, claim))))
			return true;
		if (!look || ptl_chunk_reap(map) == 0)
			return false;
		look = loop;
	}
}

void ptl_chunk_close(struct ptl_map *map, uint32_t index, uint64_t used,
		     bool pinned)
{
	struct ptl_shm_chunk *chunk = &map->table[index];
	uint64_t own = own_load(chunk);
	uint64_t to = (own & ~UINT64_C(0xf)) | PTL_CHUNK_CLOSED |
		      (pinned ? PTL_CHUNK_PINNED : 0);

	if (ptl_own_state(own) != PTL_CHUNK_OPEN)
		return;
	atomic_store_explicit(&chunk->used, used, memory_order_relaxed);
	own_change(chunk, own, to);
}

void ptl_chunk_release(struct ptl_map *map, uint32_t index, uint32_t tid,
		       uint64_t used)
{
	struct ptl_shm_chunk *chunk = &map->table[index];
	uint64_t own = own_load(chunk);

	if (ptl_own_state(own) != PTL_CHUNK_OPEN || ptl_own_tid(own) != tid)
		return;
	atomic_store_explicit(&chunk->used, used, memory_order_relaxed);
	own_change(chunk, own, ptl_own(PTL_CHUNK_PARTIAL, ptl_own_gen(own), 0));
}

void ptl_chunk_unpin(struct ptl_map *map, uint32_t index, uint32_t gen)
{
	struct ptl_shm_chunk *chunk = &map->table[index];
	uint64_t own = own_load(chunk);

	if (ptl_own_pinned(own) && ptl_own_gen(own) == gen)
		own_change(chunk, own, own & ~(uint64_t)PTL_CHUNK_PINNED);
}

/* What a dead thread left of one chunk; true if something changed. */
static bool reap_one(struct ptl_map *map, uint32_t index)
{
	struct ptl_shm_chunk *chunk = &map->table[index];
	uint64_t own = own_load(chunk);
	uint32_t state = ptl_own_state(own), tid = ptl_own_tid(own);

	if (tid == 0 || tid & PTL_TID_FOREIGN)
		return false;
	if (state == PTL_CHUNK_CLOSED && !ptl_own_pinned(own))
		return false;
	if (state != PTL_CHUNK_OPEN && state != PTL_CHUNK_CLOSED &&
	    state != PTL_CHUNK_CLEANING)
		return false;
	if (ptl_tid_alive((int)tid))
		return false;
	if (state == PTL_CHUNK_CLEANING) {
		uint64_t held = ptl_own(PTL_CHUNK_CLEANING, ptl_own_gen(own),
					(uint32_t)ptl_sys_gettid());

		if (!own_change(chunk, own, held))
			return false;
		clean(map, index, held, PTL_CHUNK_FREE);
		return true;
	}
	/* It may have written anywhere: readers look to the end. */
	if (state == PTL_CHUNK_OPEN)
		atomic_store_explicit(&chunk->used, map->chunk_size,
				      memory_order_relaxed);
	return own_change(chunk, own,
			  ptl_own(PTL_CHUNK_CLOSED, ptl_own_gen(own), 0));
}

bool ptl_chunk_strays(struct ptl_map *map, uint32_t tid, const uint64_t *word,
		      unsigned int spare)
{
	uint64_t before = __atomic_load_n(word, __ATOMIC_RELAXED);
	uint32_t keep = before ? ptl_word_chunk(before) : UINT32_MAX;
	uint32_t oldest = UINT32_MAX, nr = 0;
	uint64_t best_own = 0, to;

	/* Numbers of another namespace may be those of two threads. */
	if (tid & PTL_TID_FOREIGN)
		return false;
	for (uint32_t i = 0; i < map->nr_chunks; i++) {
		uint64_t own = own_load(&map->table[i]);
		uint32_t state = ptl_own_state(own);

		if (i == keep || ptl_own_tid(own) != tid ||
		    (state != PTL_CHUNK_OPEN && state != PTL_CHUNK_CLEANING))
			continue;
		nr++;
		if (oldest != UINT32_MAX &&
		    atomic_load_explicit(&map->table[i].seq,
					 memory_order_relaxed) >
			    atomic_load_explicit(&map->table[oldest].seq,
						 memory_order_relaxed))
			continue;
		oldest = i;
		best_own = own;
	}
	if (nr <= spare)
		return false;
	/* A handler came in between and moved on: look again. */
	if (__atomic_load_n(word, __ATOMIC_RELAXED) != before)
		return true;
	if (ptl_own_state(best_own) == PTL_CHUNK_CLEANING) {
		clean(map, oldest, best_own, PTL_CHUNK_FREE);
		return true;
	}
	to = (best_own & ~UINT64_C(0xf)) | PTL_CHUNK_CLOSED;
	atomic_store_explicit(&map->table[oldest].used, map->chunk_size,
			      memory_order_relaxed);
	own_change(&map->table[oldest], best_own, to);
	return true;
}

unsigned int ptl_chunk_reap(struct ptl_map *map)
{
	unsigned int changed = 0;

	if (map->tid_mark)
		return 0;
	for (uint32_t i = 0; i < map->nr_chunks; i++)
		changed += reap_one(map, i);
	return changed;
}

bool ptl_chunk_free(struct ptl_map *map, uint32_t index, uint32_t gen,
		    uint32_t tid)
{
	struct ptl_shm_chunk *chunk = &map->table[index];
	uint64_t own = own_load(chunk);
	uint32_t state = ptl_own_state(own);
	uint64_t held = ptl_own(PTL_CHUNK_CLEANING, gen, tid), read;

	if (ptl_own_gen(own) != gen || ptl_own_pinned(own) ||
	    (state != PTL_CHUNK_CLOSED && state != PTL_CHUNK_PARTIAL) ||
	    !own_change(chunk, own, held))
		return false;
	/* Another may have gone on in it meanwhile and left it like this. */
	read = atomic_load_explicit(&chunk->read, memory_order_relaxed);
	if (ptl_read_offset(read) < used_load(map, chunk)) {
		own_change(chunk, held, own);
		return false;
	}
	clean(map, index, held, PTL_CHUNK_FREE);
	return true;
}
