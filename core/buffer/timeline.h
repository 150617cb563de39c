/* SPDX-License-Identifier: MIT */
/* A stream's clock function, kept in its segment and extended by the process
 * that controls or recovers it (one at a time). */
#ifndef PTL_CORE_BUFFER_TIMELINE_H
#define PTL_CORE_BUFFER_TIMELINE_H

#include "core/shm/map.h"
#include "core/sys/clock.h"

/* The first anchors of a new stream. */
void ptl_timeline_begin(struct ptl_map *map);

/* Adds an anchor of now; returns it. */
struct ptl_shm_anchor ptl_timeline_extend(struct ptl_map *map);

/* CLOCK_REALTIME in ns; extends the function if need be.  `line' is the
 * caller's alone, zero at first: the stretch that the last one was on. */
uint64_t ptl_timeline_ns(struct ptl_map *map, struct ptl_clock_line *line,
			 uint64_t counter);

/* How many anchors there are, never more than fit. */
uint32_t ptl_timeline_count(const struct ptl_map *map);

#endif
