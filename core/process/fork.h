/* SPDX-License-Identifier: MIT */
/* A new process that is a copy of another. */
#ifndef PTL_CORE_PROCESS_FORK_H
#define PTL_CORE_PROCESS_FORK_H

#include "core/format/registry.h"
#include "core/record/upcall.h"

/* Before a fork, in the thread that calls it at `addr': notes whether it
 * interrupted the recording of an event. */
void ptl_fork_comes(const void *addr);

/* Around a call that copies the process: only streams that were there before
 * trace the copy.  The end is for the parent. */
struct ptl_heritage;
void ptl_fork_copying(struct ptl_heritage *copy, bool begins);

/*
 * Records process:fork in one stream; also for a child that died before it
 * could.  Number: what fork() returned of a child in another pid namespace, or
 * 0 if it is not known.
 */
void ptl_fork_tell(struct ptl_map *map, const struct ptl_shm_parent *parent,
		   const struct ptl_shm_ident *child, uint32_t number);

/* In a process that was made without a fork of ours (spawn, raw vfork): it
 * announces itself. */
void ptl_fork_born(void);

/* When a child that runs in its parent's memory (vfork) ends without exec. */
void ptl_fork_vfork_ends(void);

#endif
