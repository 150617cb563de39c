/* SPDX-License-Identifier: MIT */
/*
 * What a stream says to its processes of functions that they are to record:
 * segments beside its own, each made once, by its controller, and only read
 * afterwards.
 */
#ifndef PTL_CORE_CONTROL_BESIDE_H
#define PTL_CORE_CONTROL_BESIDE_H

#include "core/shm/map.h"

/* Makes it.  Returns 0, EEXIST, ENOSPC, ENOMEM, errno. */
int ptl_beside_create(int dir, struct ptl_map *map, enum ptl_shm_beside what,
		      const void *bytes, size_t size);

/*
 * Maps that of a stream, for good: functions go by it until the process ends.
 * NULL: it has none, or none that can be reached from here.
 */
const void *ptl_beside_attach(const struct ptl_map *map,
			      enum ptl_shm_beside what, size_t *size);

/* Removes all, before their stream. */
void ptl_beside_remove(int dir, const struct ptl_map *map);

/* Of streams that are no more. */
void ptl_beside_collect(int dir);

#endif
