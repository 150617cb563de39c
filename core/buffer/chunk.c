/* SPDX-License-Identifier: MIT */
/*
 * Claiming, closing and freeing chunks.  Lock-free: a compare-and-swap that
 * fails means that another thread got on.  A FREE chunk is empty: a thread
 * empties it before, as CLEANING with its own tid, so that others go on if it
 * is killed.
 */
#include "core/buffer/chunk.h"

#include "core/buffer/chunk_change.h"
#include "core/buffer/growth.h"
#include "core/buffer/leftover.h"
#include "core/buffer/slot.h"
#include "core/sys/clock.h"
#include "core/sys/syscall.h"
#include "core/sys/wait.h"

#include <trace.h>

/* A claim that fails more often, since others got on, is made to fail. */
#define CLAIM_TRIES (1u << 16)
/* How often, and for how long each time, to wait for a chunk that others hold
 * for one record only. */
#define SHARED_TRIES 20
#define SHARED_PAUSE_NS 20000

/* A number times this is anywhere. */
#define GOLDEN 0x9e3779b1u

/* What was asked in vain is not asked again so soon.  Many threads without a
 * chunk of their own would do nothing else. */
#define VAIN_NS UINT64_C(5000000)

static bool is_vain(_Atomic uint64_t *when)
{
	uint64_t then = atomic_load_explicit(when, memory_order_relaxed);

	return then && ptl_clock_ns(CLOCK_MONOTONIC) - then < VAIN_NS;
}

static void set_vain(_Atomic uint64_t *when)
{
	atomic_store_explicit(when, ptl_clock_ns(CLOCK_MONOTONIC),
			      memory_order_relaxed);
}

/* Chunks below this are the controller's: START, STOP and FILTER find room in a
 * stream that is full. */
static uint32_t first_chunk(const struct ptl_map *map, enum ptl_claim_for use)
{
	return use != PTL_CLAIM_OWN &&
	       map->head->attr.stream_policy != POSIX_TRACE_LOOP;
}

static void set_seq(struct ptl_map *map, struct ptl_shm_chunk *chunk)
{
	atomic_store_explicit(&chunk->seq, ptl_chunk_next_seq(map),
			      memory_order_relaxed);
}

static bool is_kept(enum ptl_claim_for use)
{
	return use == PTL_CLAIM_KEEP || use == PTL_CLAIM_NEXT;
}

static uint32_t open_as(enum ptl_claim_for use)
{
	return PTL_CHUNK_OPEN | (is_kept(use) ? 0 : PTL_CHUNK_SHARED);
}

/* A chunk as it was at one look. */
struct sight {
	uint32_t index; /* or NONE */
	uint64_t own;
};

#define NONE UINT32_MAX

/* So many are looked at for one that is near. */
#define NEAR 16

/* What a look at all chunks finds for a claim. */
struct survey {
	uint32_t present;     /* chunks */
	struct sight partial; /* left by its owner, with room */
	struct sight free;    /* the next one from the hint on */
	struct sight oldest;  /* whose owner is done, in a LOOP stream */
	uint64_t oldest_seq;
	uint32_t kept;	/* by other threads, as long as they last; or pinned */
	uint32_t spare; /* what could be had by them */
};

/* Where it is in the way from the hint on and round. */
static bool nearer(uint32_t i, uint32_t than, uint64_t hint)
{
	return than == NONE || (i >= hint && than < hint);
}

/* Among those to take over, if it is one of the oldest. */
static void insert(struct ptl_ahead *ahead, uint32_t i, uint64_t own,
		   uint64_t seq)
{
	uint32_t to = ahead->nr;

	if (to == PTL_SLOT_AHEAD && seq >= ahead->next[--to].seq)
		return;
	ahead->nr = to + 1;
	for (; to > 0 && ahead->next[to - 1].seq > seq; to--)
		ahead->next[to] = ahead->next[to - 1];
	ahead->next[to].index = i;
	ahead->next[to].own = own;
	ahead->next[to].seq = seq;
}

static struct survey survey(struct ptl_map *map, uint32_t tid, uint64_t bytes,
			    enum ptl_claim_for use, bool loop,
			    struct ptl_ahead *ahead)
{
	struct survey found = {.present = ptl_map_present(map),
			       .partial.index = NONE,
			       .free.index = NONE,
			       .oldest.index = NONE};
	uint64_t hint =
		atomic_load_explicit(&map->head->hint, memory_order_relaxed) %
		PTL_MAX(found.present, 1u);

	for (uint32_t i = first_chunk(map, use); i < found.present; i++) {
		struct ptl_shm_chunk *chunk = &map->table[i];
		uint64_t own = ptl_chunk_own(chunk), seq;
		uint32_t state = ptl_own_state(own);
		bool left = state == PTL_CHUNK_PARTIAL;

		/* One's own is about to be closed; what is pinned stays. */
		found.kept +=
			ptl_own_pinned(own) ||
			(state == PTL_CHUNK_OPEN && !(own & PTL_CHUNK_SHARED) &&
			 (ptl_own_tid(own) != tid || own & PTL_CHUNK_KEPT));
		found.spare += state == PTL_CHUNK_FREE || left ||
			       (loop && state == PTL_CHUNK_CLOSED);
		if (state == PTL_CHUNK_FREE &&
		    nearer(i, found.free.index, hint))
			found.free = (struct sight){i, own};
		if (left && found.partial.index == NONE &&
		    map->chunk_size - ptl_chunk_used(map, chunk) >= bytes)
			found.partial = (struct sight){i, own};
		if (!loop || (state != PTL_CHUNK_CLOSED && !left) ||
		    ptl_own_pinned(own))
			continue;
		seq = atomic_load_explicit(&chunk->seq, memory_order_relaxed);
		if (ahead)
			insert(ahead, i, own, seq);
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

	if (!ptl_chunk_change(chunk, seen->own,
			      ptl_own(open_as(use), gen, tid)))
		return false;
	/* Another may have had it meanwhile and left it like this: what is in
	 * it is only known now that it is ours. */
	used = ptl_chunk_used(map, chunk);
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

	if (!ptl_chunk_change(chunk, seen->own,
			      ptl_own(open_as(use), gen, tid)))
		return false;
	set_seq(map, chunk);
	atomic_store_explicit(&map->head->hint, seen->index + 1,
			      memory_order_relaxed);
	*claim = (struct ptl_claim){seen->index, gen, 0, 0};
	return true;
}

/* LOOP: the oldest chunk whose owner is done makes room for the new. */
static bool take_over(struct ptl_map *map, uint32_t tid, enum ptl_claim_for use,
		      const struct sight *seen, struct ptl_claim *claim)
{
	struct ptl_shm_chunk *chunk = &map->table[seen->index];
	uint64_t held = ptl_own(PTL_CHUNK_CLEANING | PTL_CHUNK_LOSING,
				ptl_own_gen(seen->own), tid);

	if (!ptl_chunk_change(chunk, seen->own, held))
		return false;
	held = ptl_chunk_tell_unread(map, seen->index, held);
	ptl_chunk_clean(map, seen->index, held, open_as(use));
	set_seq(map, chunk);
	*claim = (struct ptl_claim){seen->index,
				    ptl_gen_next(ptl_own_gen(held)), 0, 0};
	return true;
}

/*
 * In place of the chunk that the thread has: the number of those that are kept
 * does not change, so a free one can be had without a look at all, if there are
 * some more behind it.
 */
static bool claim_near(struct ptl_map *map, uint32_t tid,
		       struct ptl_claim *claim)
{
	uint32_t first = first_chunk(map, PTL_CLAIM_NEXT), nr = 0;
	uint32_t present = ptl_map_present(map);
	struct sight near = {NONE, 0};
	uint64_t i =
		atomic_load_explicit(&map->head->hint, memory_order_relaxed);

	for (unsigned int n = 0; n < NEAR && nr <= map->min_shared; n++, i++) {
		uint64_t own;

		if (i < first || i >= present)
			i = first;
		if (i >= present)
			return false;
		own = ptl_chunk_own(&map->table[i]);
		if (ptl_own_state(own) == PTL_CHUNK_FREE && nr++ == 0)
			near = (struct sight){(uint32_t)i, own};
	}
	return nr > map->min_shared &&
	       claim_free(map, tid, PTL_CLAIM_NEXT, &near, claim);
}

/*
 * Where threads share, each begins to look at a place of its own: there it goes
 * on in the chunk that it had the last time, whose pages its process has in use
 * already, and does not look at all.  There may be none here, and some
 * elsewhere.
 */
static bool claim_again(struct ptl_map *map, uint32_t tid, uint64_t bytes,
			struct ptl_claim *claim)
{
	uint32_t first = first_chunk(map, PTL_CLAIM_ONCE);
	uint32_t present = ptl_map_present(map), nr = present - first;
	uint32_t i = tid * GOLDEN;

	if (present <= first)
		return false;
	i = first + (uint32_t)((uint64_t)i * nr >> 32);
	for (unsigned int n = 0; n < PTL_MIN(NEAR, nr); n++, i++) {
		struct ptl_shm_chunk *chunk;
		uint64_t own;

		if (i == present)
			i = first;
		chunk = &map->table[i];
		own = ptl_chunk_own(chunk);
		if (ptl_own_state(own) == PTL_CHUNK_PARTIAL &&
		    map->chunk_size - ptl_chunk_used(map, chunk) >= bytes &&
		    claim_partial(map, tid, bytes, PTL_CLAIM_ONCE,
				  &(struct sight){i, own}, claim))
			return true;
	}
	return false;
}

/* As claim_near(), in a LOOP stream in which all are used. */
static bool claim_ahead(struct ptl_map *map, uint32_t tid,
			struct ptl_ahead *ahead, struct ptl_claim *claim)
{
	struct sight next;

	if (ahead->stream != map->id || ahead->at >= ahead->nr)
		return false;
	next = (struct sight){ahead->next[ahead->at].index,
			      ahead->next[ahead->at].own};
	ahead->at++;
	return next.index < map->nr_chunks &&
	       take_over(map, tid, PTL_CLAIM_NEXT, &next, claim);
}

/* After a look at all: while there are others none is taken over, and the
 * oldest is taken over now. */
static void look_ahead(struct ptl_ahead *ahead, const struct survey *found)
{
	if (found->partial.index != NONE || found->free.index != NONE)
		ahead->nr = 0;
	ahead->at = 1;
}

/* Does another thread hold a chunk for the time of one record? */
static bool others_share(const struct ptl_map *map, uint32_t tid)
{
	uint32_t nr = ptl_map_present(map);

	for (uint32_t i = 0; i < nr; i++) {
		uint64_t own = ptl_chunk_own(&map->table[i]);

		if (ptl_own_state(own) == PTL_CHUNK_OPEN &&
		    own & PTL_CHUNK_SHARED && ptl_own_tid(own) != tid)
			return true;
	}
	return false;
}

/*
 * Takes what threads that are gone held.  True: there was something.  Asked in
 * vain by one process it is so for all: a system call for each chunk that is
 * held, by each of a thousand processes, would take all of a machine.
 */
static bool reap(struct ptl_map *map)
{
	_Atomic uint32_t *reaped = &map->head->reaped;
	uint32_t now = (uint32_t)(ptl_clock_ns(CLOCK_MONOTONIC) / 1000000);

	/* Who cannot ask has not asked in vain. */
	if (map->tid_mark)
		return false;
	/* The clock of another time namespace may be ahead of ours. */
	if (now - atomic_load_explicit(reaped, memory_order_relaxed) <
	    VAIN_NS / 1000000)
		return false;
	if (ptl_leftover_reap(map))
		return true;
	atomic_store_explicit(reaped, now, memory_order_relaxed);
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

/*
 * What is kept may stay nearly empty for ever, so there is a number of such
 * chunks beyond those that stream-min-size needs (map.c); and a few are left
 * for threads that share.
 */
static bool may_keep(const struct ptl_map *map, const struct survey *found)
{
	uint32_t more = found->present - PTL_MIN(found->present, map->nr_first);

	return found->kept < map->max_kept + more &&
	       found->spare > map->min_shared;
}

static bool claim_new(struct ptl_map *map, uint32_t tid, enum ptl_claim_for use,
		      enum ptl_claim_by by, struct ptl_claim *claim)
{
	uint32_t i;

	if (by == PTL_CLAIM_STORES || map->nr_chunks == map->nr_first ||
	    is_vain(&map->vain[PTL_VAIN_MEMORY]))
		return false;
	i = ptl_growth_take(map, tid, open_as(use));
	if (i == UINT32_MAX) {
		set_vain(&map->vain[PTL_VAIN_MEMORY]);
		return false;
	}
	set_seq(map, &map->table[i]);
	*claim = (struct ptl_claim){
		i, ptl_own_gen(ptl_chunk_own(&map->table[i])), 0, 0};
	return true;
}

/* Without a look at all. */
static bool claim_quick(struct ptl_map *map, uint32_t tid, uint64_t bytes,
			enum ptl_claim_for use, struct ptl_ahead *ahead,
			struct ptl_claim *claim)
{
	if (ahead)
		return claim_ahead(map, tid, ahead, claim);
	if (use == PTL_CLAIM_NEXT)
		return claim_near(map, tid, claim);
	return use == PTL_CLAIM_ONCE && claim_again(map, tid, bytes, claim);
}

/* Is there none to keep?  It was asked for in vain, just now. */
static bool is_refused(struct ptl_map *map, enum ptl_claim_for use,
		       enum ptl_claim_by by)
{
	return is_kept(use) && by != PTL_CLAIM_STORES &&
	       is_vain(&map->vain[PTL_VAIN_KEEP]);
}

/* Not all may be kept: a new one, if there can be one. */
static bool keep_new(struct ptl_map *map, uint32_t tid, enum ptl_claim_for use,
		     enum ptl_claim_by by, struct ptl_claim *claim)
{
	if (claim_new(map, tid, use, by, claim))
		return true;
	if (by != PTL_CLAIM_STORES)
		set_vain(&map->vain[PTL_VAIN_KEEP]);
	return false;
}

bool ptl_chunk_claim(struct ptl_map *map, uint32_t tid, uint64_t bytes,
		     enum ptl_claim_for use, enum ptl_claim_by by,
		     struct ptl_claim *claim)
{
	bool loop = map->head->attr.stream_policy == POSIX_TRACE_LOOP, done;
	struct ptl_ahead *ahead = NULL;
	unsigned int tries = 0, n = 0;

	if (bytes > map->chunk_size)
		return false;
	if (use == PTL_CLAIM_NEXT && loop)
		ahead = &ptl_thread.slot->ahead;
	if (claim_quick(map, tid, bytes, use, ahead, claim))
		return true;
	if (is_refused(map, use, by))
		return false;
	do {
		struct survey found;

		if (ahead)
			*ahead = (struct ptl_ahead){.stream = map->id};
		found = survey(map, tid, bytes, use, loop, ahead);
		if (is_kept(use) && !may_keep(map, &found))
			return keep_new(map, tid, use, by, claim);
		if (ahead)
			look_ahead(ahead, &found);
		if (found.partial.index != NONE) {
			done = claim_partial(map, tid, bytes, use,
					     &found.partial, claim);
		} else if (found.free.index != NONE) {
			done = claim_free(map, tid, use, &found.free, claim);
		} else if (found.oldest.index != NONE) {
			done = take_over(map, tid, use, &found.oldest, claim);
		} else if (claim_new(map, tid, use, by, claim)) {
			return true;
		} else {
			if (by != PTL_CLAIM_ASKS ||
			    (!reap(map) && !await_shared(map, tid, tries++)))
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
	uint64_t own = ptl_chunk_own(chunk);
	uint64_t to = (own & ~(uint64_t)PTL_CHUNK_BITS) | PTL_CHUNK_CLOSED |
		      (pinned ? PTL_CHUNK_PINNED : 0);

	if (ptl_own_state(own) != PTL_CHUNK_OPEN)
		return;
	if (events >> (64 - PTL_USED_BITS))
		events = 0;
	atomic_store_explicit(&chunk->used,
			      (uint64_t)events << PTL_USED_BITS | used,
			      memory_order_relaxed);
	ptl_chunk_change(chunk, own, to);
}

bool ptl_chunk_keep(struct ptl_map *map, const struct ptl_claim *claim)
{
	struct ptl_shm_chunk *chunk = &map->table[claim->index];
	uint64_t own = ptl_chunk_own(chunk);

	return ptl_own_state(own) == PTL_CHUNK_OPEN &&
	       ptl_own_gen(own) == claim->gen &&
	       ptl_chunk_change(chunk, own, own | PTL_CHUNK_KEPT);
}

void ptl_chunk_release(struct ptl_map *map, uint32_t index, uint32_t tid,
		       uint64_t used)
{
	struct ptl_shm_chunk *chunk = &map->table[index];
	uint64_t own = ptl_chunk_own(chunk);

	if (ptl_own_state(own) != PTL_CHUNK_OPEN || ptl_own_tid(own) != tid)
		return;
	atomic_store_explicit(&chunk->used, used, memory_order_relaxed);
	ptl_chunk_change(chunk, own,
			 ptl_own(PTL_CHUNK_PARTIAL, ptl_own_gen(own), 0));
}

void ptl_chunk_unpin(struct ptl_map *map, uint32_t index, uint32_t gen,
		     uint32_t tid, bool resumes)
{
	struct ptl_shm_chunk *chunk = &map->table[index];
	uint64_t own = ptl_chunk_own(chunk), held;

	/* Of a chunk that was pinned before a fork the child knows, too. */
	if (!ptl_own_pinned(own) || ptl_own_gen(own) != gen ||
	    ptl_own_tid(own) != tid)
		return;
	if (!resumes) {
		ptl_chunk_change(chunk, own, own & ~(uint64_t)PTL_CHUNK_PINNED);
		return;
	}
	/* Held: a handler may come, and do all of it again. */
	held = ptl_own(PTL_CHUNK_OPEN, gen, tid);
	if (!ptl_chunk_change(chunk, own, held))
		return;
	ptl_leftover_fill(map, index, ptl_chunk_used(map, chunk));
	ptl_chunk_change(chunk, held, ptl_own(PTL_CHUNK_PARTIAL, gen, 0));
}

bool ptl_chunk_free(struct ptl_map *map, uint32_t index, uint32_t gen,
		    uint32_t tid)
{
	struct ptl_shm_chunk *chunk = &map->table[index];
	uint64_t own = ptl_chunk_own(chunk);
	uint32_t state = ptl_own_state(own);
	uint64_t held = ptl_own(PTL_CHUNK_CLEANING, gen, tid | map->tid_mark);
	uint64_t read;

	if (ptl_own_gen(own) != gen || ptl_own_pinned(own) ||
	    (state != PTL_CHUNK_CLOSED && state != PTL_CHUNK_PARTIAL) ||
	    !ptl_chunk_change(chunk, own, held))
		return false;
	/* Another may have gone on in it meanwhile and left it like this. */
	read = atomic_load_explicit(&chunk->read, memory_order_relaxed);
	if (ptl_read_offset(read) < ptl_chunk_used(map, chunk)) {
		ptl_chunk_change(chunk, held, own);
		return false;
	}
	ptl_chunk_clean(map, index, held, PTL_CHUNK_FREE);
	atomic_fetch_add_explicit(&map->head->freed, 1, memory_order_relaxed);
	/* The lowest are taken again and again: they are in the caches. */
	if (index <
	    atomic_load_explicit(&map->head->hint, memory_order_relaxed))
		atomic_store_explicit(&map->head->hint, index,
				      memory_order_relaxed);
	/* Pairs with ptl_backpressure_await(). */
	ptl_wait_wake(&map->head->room);
	return true;
}
