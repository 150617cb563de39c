/* SPDX-License-Identifier: MIT */
/*
 * Waiting for room.  A thread marks that it waits, wakes the flusher, looks
 * once more, and sleeps until a chunk is free.  While a thread waits the
 * flusher also flushes what it would leave for later.
 *
 * With FLUSH that is for a moment only: many threads on few processors leave a
 * flusher that could keep up no time to.  If a moment was not enough, none is
 * waited for in the next second.
 *
 * A thread that may make no system call (seccomp) neither sleeps nor wakes: it
 * spins, and the flusher, which knows that there is such a thread, looks by
 * itself from time to time.
 *
 * When a flush fails, since the pipe has no reader any more or the disk is
 * full, or when the controller is dead and nobody will take its place, no
 * thread waits: events without room are lost until a flush succeeds again.
 */
#include "core/record/backpressure.h"

#include "core/record/slots.h"
#include "core/shm/controller.h"
#include "core/sys/clock.h"
#include "core/sys/wait.h"

#include <trace.h>

/* A disk that is busy for longer is not only busy. */
#define PATIENCE_NS UINT64_C(10000000000)
#define MOMENT_NS UINT64_C(50000000)
#define AGAIN_NS UINT64_C(1000000000)

/* How long a thread waits at most. */
static uint64_t patience(const struct ptl_map *map, uint64_t now)
{
	uint64_t vain = atomic_load_explicit(&map->vain[PTL_VAIN_ROOM],
					     memory_order_relaxed);

	if (map->head->attr.stream_policy == POSIX_TRACE_BLOCK_NP)
		return PATIENCE_NS;
	if (map->head->attr.stream_policy == POSIX_TRACE_FLUSH &&
	    (!vain || now - vain > AGAIN_NS))
		return MOMENT_NS;
	return 0;
}

static bool may_wait(const struct ptl_map *map)
{
	return ptl_map_state(map) == PTL_STATE_RUNNING &&
	       /* Pairs with ptl_backpressure_tell(). */
	       !atomic_load_explicit(&map->head->no_room,
				     memory_order_relaxed) &&
	       /* Without the counter the vDSO has no clock, either. */
	       (ptl_slots_may_call() || !ptl_thread.no_counter) &&
	       !ptl_slots_forked();
}

/* Less than what it costs to sleep. */
static void spin(void)
{
	for (unsigned int i = 0; i < 256; i++)
#if defined(__x86_64__)
		__asm__ volatile("pause");
#elif defined(__aarch64__)
		__asm__ volatile("isb");
#else
		PTL_HANDLER_FENCE();
#endif
}

/* True: nobody will make room. */
static bool sleep_for_room(struct ptl_map *map)
{
	if (!ptl_slots_may_call()) {
		spin();
		return false;
	}
	ptl_wait_sleep(&map->head->room, NULL, 0);
	return ptl_controller_left(map);
}

static void ask_for_room(struct ptl_shm_head *head)
{
	if (!ptl_slots_may_call())
		return;
	/* Pairs with ptl_chunk_free(). */
	ptl_wait_announce(&head->room);
	ptl_wait_wake(&head->flusher);
}

bool ptl_backpressure_await(struct ptl_map *map, uint64_t *since)
{
	uint64_t now, most;
	bool left;

	if (!may_wait(map))
		return false;
	now = ptl_clock_ns(CLOCK_MONOTONIC);
	most = patience(map, now);
	if (most == 0)
		return false;
	if (*since) {
		left = sleep_for_room(map);
		if (now - *since > most)
			atomic_store_explicit(&map->vain[PTL_VAIN_ROOM], now,
					      memory_order_relaxed);
		if (left)
			ptl_backpressure_tell(map, true);
		if (left || now - *since > most)
			return false;
	} else {
		*since = now;
	}
	ask_for_room(map->head);
	return true;
}

void ptl_backpressure_tell(struct ptl_map *map, bool none)
{
	_Atomic uint32_t *word = &map->head->no_room;

	if (atomic_load_explicit(word, memory_order_relaxed) == none)
		return;
	atomic_store_explicit(word, none, memory_order_relaxed);
	/* The thread that wakes looks at it again.  Pairs with
	 * ptl_backpressure_await(). */
	if (none)
		ptl_wait_wake(&map->head->room);
}
