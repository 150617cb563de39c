/* SPDX-License-Identifier: MIT */
/*
 * Anchors in the segment.  When they are full the oldest but one goes: events
 * that old have been read or are in the log, which has all anchors.
 */
#include "core/buffer/timeline.h"

#include "core/buffer/counter.h"

#include <string.h>

uint32_t ptl_timeline_count(const struct ptl_map *map)
{
	uint32_t n = atomic_load_explicit(&map->log->nr_anchors,
					  memory_order_relaxed);

	return PTL_MIN(n, PTL_SHM_ANCHORS);
}

struct ptl_shm_anchor ptl_timeline_extend(struct ptl_map *map)
{
	struct ptl_shm_log *log = map->log;
	uint32_t n = ptl_timeline_count(map);
	struct ptl_shm_anchor anchor;

	if (n && ptl_counter_denied(map->clock))
		return log->anchor[n - 1];
	ptl_clock_anchor(map->clock, log->clock_offset,
			 n ? &log->anchor[n - 1] : NULL, &anchor);
	if (n == PTL_SHM_ANCHORS) {
		n--;
		memmove(&log->anchor[1], &log->anchor[2],
			(n - 1) * sizeof(anchor));
	}
	log->anchor[n] = anchor;
	/* A recoverer finds whole anchors only.  Pairs with process death. */
	atomic_store_explicit(&log->nr_anchors, n + 1, memory_order_release);
	return anchor;
}

void ptl_timeline_begin(struct ptl_map *map)
{
	map->log->clock_offset = ptl_clock_offset();
	ptl_timeline_extend(map);
}

uint64_t ptl_timeline_ns(struct ptl_map *map, struct ptl_clock_line *line,
			 uint64_t counter)
{
	uint32_t n;

	if (ptl_clock_covers(line, counter))
		return ptl_clock_follow(line, counter);
	n = ptl_timeline_count(map);
	if (n < 2 || counter > map->log->anchor[n - 1].counter) {
		ptl_timeline_extend(map);
		n = ptl_timeline_count(map);
	}
	*line = ptl_clock_line(map->clock, map->log->anchor, n, counter);
	/* Beyond the last anchor it will be another. */
	line->end = n ? PTL_MIN(line->end, map->log->anchor[n - 1].counter) : 0;
	return ptl_clock_follow(line, counter);
}
