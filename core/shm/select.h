/* SPDX-License-Identifier: MIT */
/* Which calls a stream records: what its head says of them. */
#ifndef PTL_CORE_SHM_SELECT_H
#define PTL_CORE_SHM_SELECT_H

#include "core/shm/map.h"

/* Does the stream record some calls of libc only?  A head of an older minor
 * version has nothing of it. */
PTL_INLINE uint32_t ptl_selects(const struct ptl_map *map)
{
	/* What it says is not older.  Pairs with ptl_select_copy(), and with
	 * posix_trace_set_selection_np(). */
	return map->head->prefix.minor >= PTL_SHM_MINOR_SELECT ?
		       atomic_load_explicit(&map->head->select.what,
					    memory_order_acquire) :
		       0;
}

/* The selection of another stream. */
void ptl_select_copy(struct ptl_map *to, const struct ptl_map *from);

/* So many calls that did not pass; of thread tid. */
void ptl_select_count(struct ptl_map *map, uint32_t tid, uint64_t calls);

/* How many there were. */
uint64_t ptl_select_unselected(const struct ptl_map *map);

/* Functions that are not recorded any more, since they were called too often
 * (core/record/hot.h): another one; how many there are. */
void ptl_select_count_hot(struct ptl_map *map);
uint64_t ptl_select_hot(const struct ptl_map *map);

/* Takes both out of a bridge. */
void ptl_select_move(struct ptl_map *map, struct ptl_map *bridge);

#endif
