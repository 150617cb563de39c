/* SPDX-License-Identifier: MIT */
/*
 * The stream policies BLOCK_NP and FLUSH: a thread that finds no room for an
 * event waits until the flusher has made some.
 */
#ifndef PTL_CORE_RECORD_BACKPRESSURE_H
#define PTL_CORE_RECORD_BACKPRESSURE_H

#include "core/shm/map.h"

/* A wait for room for one event: {0} at first. */
struct ptl_room_wait {
	uint64_t since; /* CLOCK_MONOTONIC ns; 0: not yet */
	uint64_t moved; /* when the flusher was last seen to make room */
	uint32_t freed; /* chunks, by then */
};

/*
 * True: try again.  False: there will be none, for the stream does not wait
 * or does not run, this thread may make no system call, the controller is dead,
 * the last flush failed, or it has taken too long.
 */
bool ptl_backpressure_await(struct ptl_map *map, struct ptl_room_wait *wait);

/* The wait is over, if there was one: how long it was is told. */
void ptl_backpressure_awaited(struct ptl_map *map,
			      const struct ptl_room_wait *wait, bool had_room);

/* After each flush: did it fail?  Then the threads that wait lose their events.
 */
void ptl_backpressure_tell(struct ptl_map *map, bool none);

#endif
