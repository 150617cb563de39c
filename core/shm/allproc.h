/* SPDX-License-Identifier: MIT */
/*
 * Streams that trace every process of a user: they are named in an entry of
 * the registry that is no process's (`common'), from which each process that
 * comes has them.
 */
#ifndef PTL_CORE_SHM_ALLPROC_H
#define PTL_CORE_SHM_ALLPROC_H

#include "core/shm/map.h"
#include "core/shm/registry.h"

/*
 * Names a stream in the common entry and in that of each process that is there.
 * Returns 0, or EAGAIN: there are too many.
 */
int ptl_allproc_name(const struct ptl_registry *reg, struct ptl_map *map);

/*
 * For a process that has come, when its entry can be found: names the streams
 * of the common entry in its own; a child has only those that are inherited.
 */
void ptl_allproc_join(const struct ptl_registry *reg, int dir,
		      struct ptl_shm_entry *entry, bool child);

/* Is there one? */
bool ptl_allproc_any(const struct ptl_registry *reg);

/* The stream is no more. */
void ptl_allproc_unname(const struct ptl_registry *reg, uint64_t stream);

#endif
