/* SPDX-License-Identifier: MIT */
/*
 * Waiting for room.  A thread marks that it waits, wakes the flusher, looks
 * once more, and sleeps until a chunk is free.  While a thread waits the
 * flusher also flushes what it would leave for later.
 *
 * With FLUSH that is as long as the flusher makes room at all: on a loaded
 * machine it may be slower than what the program records.  If it makes none for
 * a while, since its process is stopped, or it writes to what waits for the
 * program, that is noted in the stream, and no thread of any process waits
 * before there is some again; then, after each wait in vain, for half as long.
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
#include "core/sys/syscall.h"
#include "core/sys/wait.h"

#include <trace.h>

/* A disk that is busy for longer is not only busy. */
#define PATIENCE_NS UINT64_C(10000000000)
/* With FLUSH: without a sign of the flusher. */
#define SILENCE_NS UINT64_C(2000000000)

static uint32_t freed(const struct ptl_map *map)
{
	return atomic_load_explicit(&map->head->freed, memory_order_relaxed);
}

/*
 * The word `stalled' is how many waits in a row were in vain, and 1 + what
 * `freed' was at the last of them.
 */
#define STALLS_SHIFT 28
#define STALLS_MOST 8u
#define STALLED_AT ((1u << STALLS_SHIFT) - 1)

static uint32_t stalled(const struct ptl_map *map)
{
	return atomic_load_explicit(&map->head->stalled, memory_order_relaxed);
}

static void set_stalled(struct ptl_map *map, uint32_t stalls, uint32_t at)
{
	atomic_store_explicit(&map->head->stalled,
			      PTL_MIN(stalls, STALLS_MOST) << STALLS_SHIFT |
				      ((at + 1) & STALLED_AT),
			      memory_order_relaxed);
}

/* Has a wait been in vain since the flusher last made room? */
static bool is_stalled(const struct ptl_map *map)
{
	uint32_t word = stalled(map);

	return word && (word & STALLED_AT) == ((freed(map) + 1) & STALLED_AT);
}

/* Does the policy let events wait? */
static bool waits(const struct ptl_map *map)
{
	return map->head->attr.stream_policy == POSIX_TRACE_BLOCK_NP ||
	       (map->head->attr.stream_policy == POSIX_TRACE_FLUSH &&
		!is_stalled(map));
}

/* After a sleep, or several: is it enough? */
static bool is_too_long(struct ptl_map *map, struct ptl_room_wait *wait,
			uint64_t now)
{
	uint32_t by_now = freed(map), stalls;

	if (now - wait->since > PATIENCE_NS)
		return true;
	if (map->head->attr.stream_policy == POSIX_TRACE_BLOCK_NP)
		return false;
	if (by_now != wait->freed) {
		wait->freed = by_now;
		wait->moved = now;
	}
	/* Of others that wait it is in vain, too: that is counted once. */
	if (is_stalled(map))
		return true;
	stalls = stalled(map) >> STALLS_SHIFT;
	if (now - wait->moved <= SILENCE_NS >> PTL_MIN(stalls, STALLS_MOST))
		return false;
	set_stalled(map, stalls + 1, by_now);
	return true;
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
	/* Through a narrow door no sleep goes, either. */
	if (!ptl_slots_may_call() || ptl_sys_door != PTL_DOOR_OPEN) {
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

bool ptl_backpressure_await(struct ptl_map *map, struct ptl_room_wait *wait)
{
	uint64_t now;
	bool left;

	if (!may_wait(map) || !waits(map))
		return false;
	now = ptl_clock_ns(CLOCK_MONOTONIC);
	if (wait->since) {
		left = sleep_for_room(map);
		if (left)
			ptl_backpressure_tell(map, true);
		if (left || is_too_long(map, wait, now))
			return false;
	} else {
		*wait = (struct ptl_room_wait){now, now, freed(map)};
	}
	ask_for_room(map->head);
	return true;
}

void ptl_backpressure_awaited(struct ptl_map *map,
			      const struct ptl_room_wait *wait, bool had_room)
{
	uint64_t lasted;

	if (!wait->since)
		return;
	lasted = ptl_clock_ns(CLOCK_MONOTONIC) - wait->since;
	atomic_fetch_add_explicit(&map->head->waited, lasted,
				  memory_order_relaxed);
	if (had_room && stalled(map))
		atomic_store_explicit(&map->head->stalled, 0,
				      memory_order_relaxed);
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
