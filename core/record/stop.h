/* SPDX-License-Identifier: MIT */
/* Stopping a stream, by its controller or in place of it. */
#ifndef PTL_CORE_RECORD_STOP_H
#define PTL_CORE_RECORD_STOP_H

#include "core/shm/map.h"

/* Stops recording at once, for every process; STOP is the last event. */
void ptl_stop(struct ptl_map *map, const void *caller);

/*
 * For a recorder that leaves a chunk: stops a stream whose controller was
 * killed, which nobody empties any more.  Asks now and then, where the kernel
 * may be asked.
 */
void ptl_stop_orphan(struct ptl_map *map);

#endif
