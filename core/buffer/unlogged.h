/* SPDX-License-Identifier: MIT */
/* What a stream holds that is not in its log. */
#ifndef PTL_CORE_BUFFER_UNLOGGED_H
#define PTL_CORE_BUFFER_UNLOGGED_H

#include "core/shm/map.h"

/*
 * Up to where chunk i is in the log, as far as the segment says, given its word
 * `read'.  In a LOOP stream it was consumed earlier: a controller that is
 * killed on the way to the log takes nothing with it.
 */
uint64_t ptl_unlogged_from(const struct ptl_map *map, uint32_t i,
			   uint64_t read);

/* How many events are committed and not in the log.  No more is recorded or
 * flushed. */
uint64_t ptl_unlogged_events(const struct ptl_map *map);

#endif
