/* SPDX-License-Identifier: MIT */
/*
 * How this process comes into the streams that trace it: as a new image, and
 * as the child of a fork.
 */
#ifndef PTL_CORE_PROCESS_JOIN_H
#define PTL_CORE_PROCESS_JOIN_H

#include "core/process/heritage.h"

/*
 * Enters this image into the registry: finds its entry from before an exec, or
 * makes one, with the streams of `streams' (PTRACE_STREAMS) or of the nearest
 * ancestor that has an entry.  `fresh' is set if the entry is new and some
 * stream is in it: then process:fork is not recorded for this process yet.
 * Returns 0 or why it is not in the registry; then it may be tried again.
 */
int ptl_join_init(const char *streams, bool *fresh);

/*
 * Before a fork that we see, in the parent: claims an entry for the child, so
 * that its birth and its end are recorded even if it is killed at once.  After
 * it, if there is a child of that number; 0: there is none.
 */
void ptl_join_expect(struct ptl_heritage *heritage,
		     const struct ptl_shm_parent *parent);
void ptl_join_made(const struct ptl_heritage *heritage, uint32_t pid);

/*
 * After a fork: takes that entry, or claims one, with what is inherited.  Our
 * parent's streams are still mapped.
 */
void ptl_join_born(struct ptl_heritage *heritage,
		   const struct ptl_shm_parent *parent);

/* Mappings of streams that are not in that entry are dropped.  Expected: a
 * wrapper of fork has said that there will be a child (ptl_children_expect). */
void ptl_join_fork(bool expected);

/* Makes of a copy of its parent's entry what a child begins with. */
void ptl_join_inherit(struct ptl_shm_entry *start,
		      const struct ptl_shm_parent *who);

/* The process of that number is in these streams now; expected: see
 * ptl_children_came(). */
void ptl_join_joined(uint64_t active, uint32_t pid, bool expected);

#endif
