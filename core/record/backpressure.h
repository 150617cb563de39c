/* SPDX-License-Identifier: MIT */
/*
 * The stream policy BLOCK_NP: a thread that finds no room for an event waits
 * until the flusher has made some; with FLUSH it waits a moment, then the event
 * is lost.
 */
#ifndef PTL_CORE_RECORD_BACKPRESSURE_H
#define PTL_CORE_RECORD_BACKPRESSURE_H

#include "core/shm/map.h"

/*
 * True: try again.  False: there will be none, for the stream does not wait
 * or does not run, this thread may make no system call, the controller is dead,
 * the last flush failed, or it has taken too long since `*since', which is 0 at
 * first.
 */
bool ptl_backpressure_await(struct ptl_map *map, uint64_t *since);

/* After each flush: did it fail?  Then the threads that wait lose their events.
 */
void ptl_backpressure_tell(struct ptl_map *map, bool none);

#endif
