/* SPDX-License-Identifier: MIT */
/*
 * Claiming, closing and freeing chunks.  Lock-free: a compare-and-swap that
 * fails means that somebody else got on.  A chunk that is FREE is all zero;
 * whoever frees or takes over zeroes it, in the state CLEANING with its own
 * tid, so that the work of a killed cleaner is done again by the next.
 */
#include "core/chunk.h"

#include "core/ident.h"
#include "core/loss.h"
#include "core/record.h"
#include "core/slot.h"
#include "core/sys.h"
#include "core/wait.h"

#include <string.h>
#include <trace.h>

/* How often, and for how long each time, to wait for a chunk that others hold
 * for one record only. */
#define SHARED_TRIES 20
#define SHARED_PAUSE_NS 20000

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
	return ptl_used(
		map, atomic_load_explicit(&chunk->used, memory_order_relaxed));
}

static uint64_t next_seq(struct ptl_map *map)
{
	return atomic_fetch_add_explicit(&map->head->claim_seq, 1,
					 memory_order_relaxed);
}

static void set_seq(struct ptl_map *map, struct ptl_shm_chunk *chunk)
{
	atomic_store_explicit(&chunk->seq, next_seq(map), memory_order_relaxed);
}

/* Chunks below this are the controller's: START, STOP and FILTER find room in a
 * stream that is full. */
static uint32_t first_chunk(const struct ptl_map *map, enum ptl_claim_for use)
{
	return use != PTL_CLAIM_OWN &&
	       map->head->attr.stream_policy != POSIX_TRACE_LOOP;
}

static uint32_t open_as(enum ptl_claim_for use)
{
	return PTL_CHUNK_OPEN | (use == PTL_CLAIM_KEEP ? 0 : PTL_CHUNK_SHARED);
}

static bool claim_partial(struct ptl_map *map, uint32_t tid, uint64_t bytes,
			  enum ptl_claim_for use, struct ptl_claim *claim)
{
	uint32_t open = open_as(use);

	for (uint32_t i = first_chunk(map, use); i < map->nr_chunks; i++) {
		struct ptl_shm_chunk *chunk = &map->table[i];
		uint64_t own = own_load(chunk), used, span;
		uint32_t gen = ptl_own_gen(own);

		if (ptl_own_state(own) != PTL_CHUNK_PARTIAL ||
		    map->chunk_size - used_load(map, chunk) < bytes ||
		    !own_change(chunk, own, ptl_own(open, gen, tid)))
			continue;
		/* Another may have had it meanwhile and left it like this:
		 * what is in it is only known now that it is ours. */
		used = used_load(map, chunk);
		span = atomic_load_explicit(&chunk->span, memory_order_relaxed);
		if (map->chunk_size - used < bytes) {
			ptl_chunk_release(map, i, tid, used);
			continue;
		}
		/* What its former owners left unfinished nobody finishes.
		 * Until this is seen readers wait for it: no harm. */
		atomic_store_explicit(&chunk->base, used, memory_order_relaxed);
		set_seq(map, chunk);
		*claim = (struct ptl_claim){i, gen, used, span};
		return true;
	}
	return false;
}

static bool claim_free(struct ptl_map *map, uint32_t tid,
		       enum ptl_claim_for use, struct ptl_claim *claim)
{
	uint32_t open = open_as(use);
	uint64_t start =
		atomic_load_explicit(&map->head->hint, memory_order_relaxed);
	uint32_t first = first_chunk(map, use);

	for (uint32_t n = 0; n < map->nr_chunks; n++) {
		uint32_t i = (uint32_t)((start + n) % map->nr_chunks);
		struct ptl_shm_chunk *chunk = &map->table[i];
		uint64_t own = own_load(chunk);
		uint32_t gen = ptl_own_gen(own);

		if (i < first || ptl_own_state(own) != PTL_CHUNK_FREE ||
		    !own_change(chunk, own, ptl_own(open, gen, tid)))
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
	uint32_t tid = next_state == PTL_CHUNK_FREE ? 0 : ptl_own_tid(held);

	memset(ptl_map_chunk(map, index), 0, used_load(map, chunk));
	atomic_store_explicit(&chunk->used, 0, memory_order_relaxed);
	atomic_store_explicit(&chunk->span, 0, memory_order_relaxed);
	atomic_store_explicit(&chunk->base, 0, memory_order_relaxed);
	/* The generation comes round again; this does not. */
	atomic_store_explicit(&chunk->life, next_seq(map) + 1,
			      memory_order_relaxed);
	atomic_store_explicit(&chunk->read, ptl_read(gen, 0),
			      memory_order_relaxed);
	own_change(chunk, held, ptl_own(next_state, gen, tid));
}

/*
 * Of a chunk held as LOSING: no reader can consume what is in it from here on,
 * and what is then still unread is told as lost before the mark is taken away.
 * A reader who sees the mark waits; who does not see it knows of the loss.
 * So nobody passes a gap that is not told yet.  Returns what is held then.
 */
static uint64_t tell_unread(struct ptl_map *map, uint32_t index, uint64_t held)
{
	struct ptl_shm_chunk *chunk = &map->table[index];
	uint64_t read, events, since = 0;

	/* Pairs with ptl_cursor_consume() and _mark(): one of the two wins. */
	read = atomic_fetch_or_explicit(&chunk->read, PTL_READ_TAKEN,
					memory_order_seq_cst);
	events = ptl_loss_unread(map, index, read, &since);
	if (events)
		ptl_loss_add(map, events, since);
	own_change(chunk, held, held & ~(uint64_t)PTL_CHUNK_LOSING);
	return held & ~(uint64_t)PTL_CHUNK_LOSING;
}

/* LOOP: the oldest chunk whose owner is done makes room for the new. */
static bool take_over(struct ptl_map *map, uint32_t tid, enum ptl_claim_for use,
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
		/* If we were held up all of them may have become free. */
		if (best == UINT32_MAX)
			return claim_free(map, tid, use, claim);
		held = ptl_own(PTL_CHUNK_CLEANING | PTL_CHUNK_LOSING,
			       ptl_own_gen(best_own), tid);
		if (!own_change(&map->table[best], best_own, held))
			continue;
		held = tell_unread(map, best, held);
		clean(map, best, held, open_as(use));
		set_seq(map, &map->table[best]);
		*claim = (struct ptl_claim){
			best, ptl_gen_next(ptl_own_gen(held)), 0, 0};
		return true;
	}
}

/*
 * May one more thread keep a chunk?  What is kept may stay nearly empty for
 * ever, so there is a number of such chunks beyond those that stream-min-size
 * needs (map.c); and a few are left for those who share.
 */
static bool may_keep(const struct ptl_map *map, uint32_t tid, bool loop)
{
	uint32_t spare = 0, kept = 0;

	for (uint32_t i = first_chunk(map, PTL_CLAIM_KEEP); i < map->nr_chunks;
	     i++) {
		uint64_t own = own_load(&map->table[i]);
		uint32_t state = ptl_own_state(own);

		/* One's own is about to be closed. */
		kept += state == PTL_CHUNK_OPEN && !(own & PTL_CHUNK_SHARED) &&
			ptl_own_tid(own) != tid;
		spare += state == PTL_CHUNK_FREE ||
			 state == PTL_CHUNK_PARTIAL ||
			 (loop && state == PTL_CHUNK_CLOSED);
		if (kept >= map->max_kept)
			return false;
	}
	return spare > map->min_shared;
}

/* Does another thread hold a chunk for the time of one record? */
static bool others_share(const struct ptl_map *map, uint32_t tid)
{
	for (uint32_t i = 0; i < map->nr_chunks; i++) {
		uint64_t own = own_load(&map->table[i]);

		if (ptl_own_state(own) == PTL_CHUNK_OPEN &&
		    own & PTL_CHUNK_SHARED && ptl_own_tid(own) != tid)
			return true;
	}
	return false;
}

/* True: it may be worth to try again. */
static bool await_shared(const struct ptl_map *map, uint32_t tid,
			 unsigned int tries)
{
	struct timespec pause = {0, SHARED_PAUSE_NS};

	if (tries >= SHARED_TRIES || !others_share(map, tid))
		return false;
	if (tries < 2)
		ptl_sys(SYS_sched_yield, 0, 0, 0, 0);
	else
		ptl_sys(SYS_nanosleep, &pause, NULL, 0, 0);
	return true;
}

bool ptl_chunk_claim(struct ptl_map *map, uint32_t tid, uint64_t bytes,
		     enum ptl_claim_for use, bool look, struct ptl_claim *claim)
{
	bool loop = map->head->attr.stream_policy == POSIX_TRACE_LOOP;

	if (bytes > map->chunk_size ||
	    (use == PTL_CLAIM_KEEP && !may_keep(map, tid, loop)))
		return false;
	for (unsigned int tries = 0;; tries++) {
		if (claim_partial(map, tid, bytes, use, claim) ||
		    claim_free(map, tid, use, claim) ||
		    (loop && take_over(map, tid, use, claim)))
			return true;
		if (!look || (ptl_chunk_reap(map) == 0 &&
			      !await_shared(map, tid, tries)))
			return false;
	}
}

void ptl_chunk_close(struct ptl_map *map, uint32_t index, uint64_t used,
		     uint32_t events, bool pinned)
{
	struct ptl_shm_chunk *chunk = &map->table[index];
	uint64_t own = own_load(chunk);
	uint64_t to = (own & ~(uint64_t)PTL_CHUNK_BITS) | PTL_CHUNK_CLOSED |
		      (pinned ? PTL_CHUNK_PINNED : 0);

	if (ptl_own_state(own) != PTL_CHUNK_OPEN)
		return;
	if (events >> (64 - PTL_USED_BITS))
		events = 0;
	atomic_store_explicit(&chunk->used,
			      (uint64_t)events << PTL_USED_BITS | used,
			      memory_order_relaxed);
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

/* How far a thread that is no more has written: behind it all is zero. */
static uint64_t written(struct ptl_map *map, uint32_t index)
{
	const unsigned char *base = ptl_map_chunk(map, index);
	const uint64_t *word = (const void *)base;
	uint64_t end = map->chunk_size / 8, off;
	struct ptl_record rec;

	while (end > 0 &&
	       __atomic_load_n(&word[end - 1], __ATOMIC_RELAXED) == 0)
		end--;
	/* The last record may end in zeroes. */
	off = atomic_load_explicit(&map->table[index].span,
				   memory_order_relaxed) -
	      1;
	if (off % 8 || off >= map->chunk_size)
		off = 0;
	while (off < end * 8) {
		if (!ptl_record_parse(base + off, map->chunk_size - off, &rec))
			return map->chunk_size;
		off += rec.bytes;
	}
	return off;
}

/* What a thread that is gone left of one chunk; true if something changed. */
static bool put_to_use(struct ptl_map *map, uint32_t index, uint64_t own)
{
	struct ptl_shm_chunk *chunk = &map->table[index];
	uint32_t state = ptl_own_state(own), gen = ptl_own_gen(own);
	uint64_t held;

	if (state == PTL_CHUNK_CLOSED && ptl_own_pinned(own))
		return own_change(chunk, own,
				  ptl_own(PTL_CHUNK_CLOSED, gen, 0));
	if (state == PTL_CHUNK_CLEANING) {
		held = ptl_own(PTL_CHUNK_CLEANING | (own & PTL_CHUNK_LOSING),
			       gen, (uint32_t)ptl_sys_gettid());
		if (!own_change(chunk, own, held))
			return false;
		if (held & PTL_CHUNK_LOSING)
			held = tell_unread(map, index, held);
		clean(map, index, held, PTL_CHUNK_FREE);
		return true;
	}
	if (state != PTL_CHUNK_OPEN)
		return false;
	/* Held, so that of two who come one writes `used'. */
	held = ptl_own(PTL_CHUNK_OPEN, gen, (uint32_t)ptl_sys_gettid());
	if (own != held && !own_change(chunk, own, held))
		return false;
	atomic_store_explicit(&chunk->used, written(map, index),
			      memory_order_relaxed);
	return own_change(chunk, held, ptl_own(PTL_CHUNK_PARTIAL, gen, 0));
}

void ptl_chunk_abandoned(struct ptl_map *map, uint32_t index, uint32_t tid)
{
	uint64_t own = own_load(&map->table[index]);

	if (ptl_own_tid(own) == tid)
		put_to_use(map, index, own);
}

static bool reap_one(struct ptl_map *map, uint32_t index)
{
	uint64_t own = own_load(&map->table[index]);
	uint32_t state = ptl_own_state(own), tid = ptl_own_tid(own);

	if (tid == 0 || tid & PTL_TID_FOREIGN ||
	    (state == PTL_CHUNK_CLOSED && !ptl_own_pinned(own)) ||
	    ptl_tid_alive((int)tid))
		return false;
	return put_to_use(map, index, own);
}

bool ptl_chunk_strays(struct ptl_map *map, uint32_t tid, const uint64_t *word,
		      unsigned int spare)
{
	uint64_t before = __atomic_load_n(word, __ATOMIC_RELAXED);
	uint32_t keep =
		ptl_word_holds(before) ? ptl_word_chunk(before) : UINT32_MAX;
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
		if (best_own & PTL_CHUNK_LOSING)
			best_own = tell_unread(map, oldest, best_own);
		clean(map, oldest, best_own, PTL_CHUNK_FREE);
		return true;
	}
	to = (best_own & ~(uint64_t)PTL_CHUNK_BITS) | PTL_CHUNK_CLOSED;
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
	/* Pairs with ptl_room_await(). */
	ptl_wait_wake(&map->head->room);
	return true;
}
