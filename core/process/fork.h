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

/* In a process that was made without a fork of ours (spawn, raw vfork): it
 * announces itself. */
void ptl_fork_born(void);

/* When a child that runs in its parent's memory (vfork) ends without exec. */
void ptl_fork_vfork_ends(void);

#endif
