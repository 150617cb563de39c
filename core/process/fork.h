/* SPDX-License-Identifier: MIT */
/* A new process that is a copy of another. */
#ifndef PTL_CORE_PROCESS_FORK_H
#define PTL_CORE_PROCESS_FORK_H

#include "core/format/registry.h"
#include "core/record/upcall.h"
#include "core/sys/usage.h"

/* Before a fork, in the thread that calls it at `addr': notes whether it
 * interrupted the recording of an event. */
void ptl_fork_comes(const void *addr);

/* Around a call that copies the process: only streams that were there before
 * trace the copy.  The end is for the parent; pid: the child's, 0 if there is
 * none. */
struct ptl_heritage;
void ptl_fork_copying(struct ptl_heritage *copy);
void ptl_fork_copied(const struct ptl_heritage *copy, uint32_t pid);

/* A child was made, of that number, by a fork that we see: it is told in the
 * streams that the child does not inherit. */
void ptl_fork_made(uint32_t pid);

/* A child was made that records nothing: it is told in all streams. */
void ptl_fork_made_untraced(uint32_t pid);

/* A child was reaped.  If it is one that ran in our memory, and ended before it
 * did anything that is recorded, its birth and its end are told now. */
void ptl_fork_reaped(const struct ptl_shm_ident *child,
		     const struct ptl_end *end);

/* In a process that was made without a fork of ours (spawn, raw vfork): it
 * announces itself. */
void ptl_fork_born(void);

/* The child of a vfork is announced before its first call begins, and not when
 * that is recorded: its fork comes first, and is no part of what that took. */
void ptl_fork_announce(void);

/* When a child that runs in its parent's memory (vfork) ends without exec. */
void ptl_fork_vfork_ends(void);

#endif
