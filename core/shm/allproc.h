/* SPDX-License-Identifier: MIT */
/*
 * POSIX_TRACE_ALLPROC: a block in the run directory that belongs to no process.
 * The streams it names trace every process of the user that has the library,
 * those that are there and those that come.
 *
 * Such processes need not be of one family.  One that has no names yet gets
 * the table of the streams; in the stream of another table its own ids mean
 * nothing, and there it is a stranger: its user events have no names.
 */
#ifndef PTL_CORE_SHM_ALLPROC_H
#define PTL_CORE_SHM_ALLPROC_H

#include "core/shm/map.h"

/* Maps the block, made if there is none.  0, ENOENT (not made), or as
 * ptl_registry_create(). */
int ptl_allproc_open(int dir, uint32_t uid, bool make,
		     struct ptl_shm_block **block);

/* Puts a stream in force for everyone, and counts them.  0 or EAGAIN. */
int ptl_allproc_name(int dir, uint32_t uid, struct ptl_map *map);

/* A process, with its own block, has come; a `child' by fork, which gets only
 * what it would have inherited. */
void ptl_allproc_join(int dir, uint32_t uid, struct ptl_shm_block *block,
		      bool child);

/* The stream is dead: processes that come shall not join it. */
void ptl_allproc_unname(int dir, uint32_t uid, uint64_t stream);

#endif
