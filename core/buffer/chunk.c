/* SPDX-License-Identifier: MIT */
/*
 * Claiming, closing and freeing chunks.  Lock-free: a compare-and-swap that
 * fails means that another thread got on.  A FREE chunk is all zero: a thread
 * zeroes it before, as CLEANING with its own tid, so that others go on if it is
 * killed.
 */
#include "core/buffer/chunk.h"

#include "core/buffer/loss.h"
#include "core/buffer/slot.h"
#include "core/format/record.h"
#include "core/sys/ident.h"
#include "core/sys/syscall.h"
#include "core/sys/wait.h"

#include <string.h>
#include <trace.h>

/* A claim that fails more often, since others got on, is made to fail. */
#define CLAIM_TRIES (1u << 16)
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

/* A chunk as it was at one look. */
struct sight {
	uint32_t index; /* or NONE */
	uint64_t own;
};

#define NONE UINT32_MAX

/* What a look at all chunks finds for a claim. */
struct survey {
	struct sight partial; /* left by its owner, with room */
	struct sight free;    /* the next one from the hint on */
	struct sight oldest;  /* whose owner is done, in a LOOP stream */
	uint64_t oldest_seq;
	uint32_t kept;	/* by other threads, as long as they last */
	uint32_t spare; /* what could be had by them */
};

/* Where it is in the way from the hint on and round. */
static bool nearer(uint32_t i, uint32_t than, uint64_t hint)
{
	return than == NONE || (i >= hint && than < hint);
}

static struct survey survey(struct ptl_map *map, uint32_t tid, uint64_t bytes,
			    enum ptl_claim_for use, bool loop)
{
	struct survey found = {{NONE, 0}, {NONE, 0}, {NONE, 0}, 0, 0, 0};
	uint64_t hint =
		atomic_load_explicit(&map->head->hint, memory_order_relaxed) %
		map->nr_chunks;

	for (uint32_t i = first_chunk(map, use); i < map->nr_chunks; i++) {
		struct ptl_shm_chunk *chunk = &map->table[i];
		uint64_t own = own_load(chunk), seq;
		uint32_t state = ptl_own_state(own);
		bool left = state == PTL_CHUNK_PARTIAL;

		/* One's own is about to be closed. */
		found.kept += state == PTL_CHUNK_OPEN &&
			      !(own & PTL_CHUNK_SHARED) &&
			      ptl_own_tid(own) != tid;
		found.spare += state == PTL_CHUNK_FREE || left ||
			       (loop && state == PTL_CHUNK_CLOSED);
		if (state == PTL_CHUNK_FREE &&
		    nearer(i, found.free.index, hint))
			found.free = (struct sight){i, own};
		if (left && found.partial.index == NONE &&
		    map->chunk_size - used_load(map, chunk) >= bytes)
			found.partial = (struct sight){i, own};
		if (!loop || (state != PTL_CHUNK_CLOSED && !left) ||
		    ptl_own_pinned(own))
			continue;
		seq = atomic_load_explicit(&chunk->seq, memory_order_relaxed);
		if (found.oldest.index == NONE || seq < found.oldest_seq) {
			found.oldest = (struct sight){i, own};
			found.oldest_seq = seq;
		}
	}
	return found;
}

static bool claim_partial(struct ptl_map *map, uint32_t tid, uint64_t bytes,
			  enum ptl_claim_for use, const struct sight *seen,
			  struct ptl_claim *claim)
{
	struct ptl_shm_chunk *chunk = &map->table[seen->index];
	uint32_t gen = ptl_own_gen(seen->own);
	uint64_t used, span;

	if (!own_change(chunk, seen->own, ptl_own(open_as(use), gen, tid)))
		return false;
	/* Another may have had it meanwhile and left it like this: what is in
	 * it is only known now that it is ours. */
	used = used_load(map, chunk);
	span = atomic_load_explicit(&chunk->span, memory_order_relaxed);
	if (map->chunk_size - used < bytes) {
		ptl_chunk_release(map, seen->index, tid, used);
		return false;
	}
	/* What its former owners left unfinished stays so.  Until they see
	 * this, readers wait for it: no harm. */
	atomic_store_explicit(&chunk->base, used, memory_order_relaxed);
	set_seq(map, chunk);
	*claim = (struct ptl_claim){seen->index, gen, used, span};
	return true;
}

static bool claim_free(struct ptl_map *map, uint32_t tid,
		       enum ptl_claim_for use, const struct sight *seen,
		       struct ptl_claim *claim)
{
	struct ptl_shm_chunk *chunk = &map->table[seen->index];
	uint32_t gen = ptl_own_gen(seen->own);

	if (!own_change(chunk, seen->own, ptl_own(open_as(use), gen, tid)))
		return false;
	set_seq(map, chunk);
	atomic_store_explicit(&map->head->hint, seen->index + 1,
			      memory_order_relaxed);
	*claim = (struct ptl_claim){seen->index, gen, 0, 0};
	return true;
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
 * and what is then unread is counted as lost before the mark is taken away.  A
 * reader that sees the mark waits; one that does not sees the loss: none passes
 * a gap that is not counted.  Returns what is held then.
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
		      const struct sight *seen, struct ptl_claim *claim)
{
	struct ptl_shm_chunk *chunk = &map->table[seen->index];
	uint64_t held = ptl_own(PTL_CHUNK_CLEANING | PTL_CHUNK_LOSING,
				ptl_own_gen(seen->own), tid);

	if (!own_change(chunk, seen->own, held))
		return false;
	held = tell_unread(map, seen->index, held);
	clean(map, seen->index, held, open_as(use));
	set_seq(map, chunk);
	*claim = (struct ptl_claim){seen->index,
				    ptl_gen_next(ptl_own_gen(held)), 0, 0};
	return true;
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
	bool loop = map->head->attr.stream_policy == POSIX_TRACE_LOOP, done;
	unsigned int tries = 0, n = 0;
	if (bytes > map->chunk_size)
		return false;
	do {
		struct survey found = survey(map, tid, bytes, use, loop);

		/* What is kept may stay nearly empty for ever, so there is a
		 * number of such chunks beyond those that stream-min-size needs
		 * (map.c); and a few are left for threads that share. */
		if (use == PTL_CLAIM_KEEP && (found.kept >= map->max_kept ||
					      found.spare <= map->min_shared))
			return false;
		if (found.partial.index != NONE) {
			done = claim_partial(map, tid, bytes, use,
					     &found.partial, claim);
		} else if (found.free.index != NONE) {
			done = claim_free(map, tid, use, &found.free, claim);
		} else if (found.oldest.index != NONE) {
			done = take_over(map, tid, use, &found.oldest, claim);
		} else {
			if (!look || (ptl_chunk_reap(map) == 0 &&
				      !await_shared(map, tid, tries++)))
				return false;
			done = false;
		}
	} while (!done && ++n < CLAIM_TRIES);
	return done;
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
	/* Held, so that of two threads that come one writes `used'. */
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

	if (!map->tid_mark && ptl_own_tid(own) == tid)
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
	uint64_t held = ptl_own(PTL_CHUNK_CLEANING, gen, tid | map->tid_mark);
	uint64_t read;

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
	/* The lowest are taken again and again: they are in the caches. */
	if (index <
	    atomic_load_explicit(&map->head->hint, memory_order_relaxed))
		atomic_store_explicit(&map->head->hint, index,
				      memory_order_relaxed);
	/* Pairs with ptl_backpressure_await(). */
	ptl_wait_wake(&map->head->room);
	return true;
}
