/* SPDX-License-Identifier: MIT */
/* How the child of a fork comes into the streams that it inherits. */
#ifndef PTL_CORE_PROCESS_HEIR_H
#define PTL_CORE_PROCESS_HEIR_H

#include "core/process/heritage.h"

/*
 * Before a fork that we see, in the parent: claims an entry for the child, so
 * that its birth and its end are recorded even if it is killed at once.  After
 * it, if there is a child of that number; 0: there is none.
 */
void ptl_heir_expect(struct ptl_heritage *heritage,
		     const struct ptl_shm_parent *parent);
void ptl_heir_made(const struct ptl_heritage *heritage, uint32_t pid);

/*
 * After a fork: takes that entry, or claims one, with what is inherited.  Our
 * parent's streams are still mapped.
 */
void ptl_heir_born(struct ptl_heritage *heritage,
		   const struct ptl_shm_parent *parent);

/* Mappings of streams that are not in that entry are dropped.  Expected: a
 * wrapper of fork has said that there will be a child (ptl_children_expect). */
void ptl_heir_joined(bool expected);

/* Makes of a copy of its parent's entry what a child begins with. */
void ptl_heir_begin(struct ptl_shm_entry *start,
		    const struct ptl_shm_parent *who);

#endif
