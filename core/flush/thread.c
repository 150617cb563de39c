/* SPDX-License-Identifier: MIT */
/*
 * The thread that flushes a stream by itself, in the process that created it
 * with a log: woken when a chunk is full, and now and then.  All signals are
 * blocked in it, and it never keeps a process alive.
 */
#include "core/flush/thread.h"

#include "core/buffer/chunk.h"
#include "core/buffer/growth.h"
#include "core/buffer/slot.h"
#include "core/flush/flush.h"
#include "core/shm/bridge.h"
#include "core/stream/bridges.h"
#include "core/sys/clock.h"
#include "core/sys/ident.h"
#include "core/sys/syscall.h"
#include "core/sys/wait.h"

#include <stdlib.h>

/* A flush that no full chunk asks for happens at least this often. */
#define FLUSH_INTERVAL_NS UINT64_C(500000000)
/* So many sleeps without an event make it idle: a second. */
#define IDLE_ROUNDS 50u

int (*ptl_flush_thread_create)(pthread_t *, const pthread_attr_t *,
			       void *(*)(void *), void *) = pthread_create;

/* Threads of ours: only they are left when the program's have gone. */
static _Atomic unsigned int flushers;

const unsigned int *ptl_flush_thread_count;

/*
 * Have all threads of the program left?  libc, which ends the process when the
 * last one does, counts ours with them: so we end it in libc's place, by the
 * same count.  Where that cannot be seen, /proc is asked.
 */
static bool last_thread(void)
{
	unsigned int ours =
		atomic_load_explicit(&flushers, memory_order_relaxed);
	bool alone;

	/* Pairs with the end of flusher(). */
	if (ptl_flush_thread_count)
		alone = __atomic_load_n(ptl_flush_thread_count,
					__ATOMIC_ACQUIRE) == ours;
	else
		alone = ptl_slots_may_call() && ptl_ident_left_to(ours);
	/* One of ours that ended in between is missing in libc's count, where a
	 * thread of the program may stand for it. */
	return alone &&
	       atomic_load_explicit(&flushers, memory_order_relaxed) == ours;
}

/* Is there a chunk's worth to write?  Of a pinned chunk a flush may not come
 * to the end for as long as a handler takes: it is no reason to hurry. */
static bool chunk_closed(const struct ptl_stream *stream)
{
	uint32_t nr = PTL_MAX(stream->nr_chunks, ptl_map_present(stream->map));

	for (uint32_t n = 0; n < nr; n++) {
		uint32_t i;
		const struct ptl_map *map = ptl_stream_chunk(stream, n, &i);
		uint64_t own =
			map ? atomic_load_explicit(&map->table[i].own,
						   memory_order_relaxed) :
			      0;

		if (ptl_own_state(own) == PTL_CHUNK_CLOSED &&
		    !ptl_own_pinned(own))
			return true;
	}
	return false;
}

/* Is there something to write, or has enough time gone by? */
static bool due(const struct ptl_stream *stream, uint64_t *last_flush)
{
	const struct ptl_map *map = stream->map;
	uint64_t now = ptl_clock_ns(CLOCK_MONOTONIC);

	if (now - *last_flush < FLUSH_INTERVAL_NS &&
	    ptl_map_state(map) != PTL_STATE_FULL &&
	    !atomic_load_explicit(&map->head->room, memory_order_relaxed) &&
	    !chunk_closed(stream) && !ptl_bridges_wait(stream) &&
	    !ptl_bridges_news(stream))
		return false;
	*last_flush = now;
	return true;
}

static atomic_flag exiting = ATOMIC_FLAG_INIT;

/*
 * How long to sleep, as ptl_wait_sleep() has it: while nothing comes, longer
 * and longer.  What comes wakes the thread when a chunk is full, unless it
 * comes from where nobody can wake others.
 */
static unsigned int sleeps(const struct ptl_stream *stream, unsigned int idle)
{
	if (idle < IDLE_ROUNDS ||
	    atomic_load_explicit(&stream->map->head->mute,
				 memory_order_relaxed) ||
	    ptl_bridge_any(stream->map))
		return 0;
	return idle - IDLE_ROUNDS;
}

/* Relaxed: the end of the stream waits for this thread. */
static bool is_dying(const struct ptl_stream *stream)
{
	return atomic_load_explicit(&stream->entry.is_dying,
				    memory_order_relaxed);
}

/* What the thread remembers from one look to the next. */
struct looks {
	uint64_t last_flush;
	uint64_t events; /* in the log */
	unsigned int idle;
};

/*
 * Writes what there is to write; is it worth looking again at once?  Locked
 * before it looks, since another thread's flush may let a bridge go; without
 * the signals, which this thread has blocked for good.
 */
static bool work(struct ptl_stream *stream, struct looks *looks)
{
	struct ptl_map *map = stream->map;
	bool again;

	ptl_lock_shared(&stream->flusher.lock);
	if (atomic_load_explicit(&map->head->mute, memory_order_relaxed))
		ptl_growth_lend(map,
				(uint32_t)ptl_sys_gettid() | map->tid_mark);
	again = is_dying(stream);
	if (!again && due(stream, &looks->last_flush)) {
		/* A full disk does not get better by trying hard. */
		again = ptl_flush_auto(stream) == 0;
		if (stream->log.events != looks->events)
			looks->idle = 0;
		looks->events = stream->log.events;
	} else if (!again && atomic_load_explicit(&stream->flusher.is_open,
						  memory_order_relaxed)) {
		ptl_flush_settle(stream);
	}
	ptl_unlock_shared(&stream->flusher.lock);
	return again;
}

static void *flusher(void *arg)
{
	struct ptl_stream *stream = arg;
	struct ptl_map *map = stream->map;
	struct looks looks = {ptl_clock_ns(CLOCK_MONOTONIC), 0, 0};
	unsigned int round = 0;

	while (!is_dying(stream)) {
		ptl_wait_announce(&map->head->flusher);
		if (work(stream, &looks))
			continue;
		ptl_wait_sleep(&map->head->flusher, NULL,
			       sleeps(stream, looks.idle++));
		/* All others left by pthread_exit(): libc would call exit(0)
		 * when the last thread leaves, and this one does not. */
		if ((++round % 8 == 0 || looks.idle > IDLE_ROUNDS) &&
		    last_thread() &&
		    !atomic_flag_test_and_set_explicit(&exiting,
						       memory_order_relaxed))
			exit(0);
	}
	/* Before libc counts it out.  Pairs with last_thread(). */
	atomic_fetch_sub_explicit(&flushers, 1, memory_order_acq_rel);
	return NULL;
}

int ptl_flush_thread_start(struct ptl_stream *stream)
{
	struct ptl_lock_mask mask;
	pthread_attr_t attr;
	int err;

	/* The thread is born with all signals blocked: they are not ours. */
	ptl_signals_block(&mask);
	pthread_attr_init(&attr);
	if (pthread_attr_setstacksize)
		pthread_attr_setstacksize(&attr, 256 * 1024);
	err = ptl_flush_thread_create(&stream->flusher.thread, &attr, flusher,
				      stream);
	pthread_attr_destroy(&attr);
	ptl_signals_restore(&mask);
	stream->flusher.has_thread = err == 0;
	atomic_fetch_add_explicit(&flushers, err == 0, memory_order_relaxed);
	return err;
}

void ptl_flush_thread_forked(void)
{
	atomic_store_explicit(&flushers, 0, memory_order_relaxed);
	atomic_flag_clear_explicit(&exiting, memory_order_relaxed);
}

void ptl_flush_thread_stop(struct ptl_stream *stream)
{
	int state;

	if (!stream->flusher.has_thread)
		return;
	stream->flusher.has_thread = false;
	ptl_wait_wake(&stream->map->head->flusher);
	if (pthread_equal(stream->flusher.thread, pthread_self()))
		return;
	/* A shutdown that was cancelled here would leave a log without end, and
	 * a stream that no call can reach any more. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	pthread_join(stream->flusher.thread, NULL);
	pthread_setcancelstate(state, &state);
}
