/* SPDX-License-Identifier: MIT */
/* How a process comes to its entry in the registry. */
#ifndef PTL_CORE_PROCESS_CLAIM_H
#define PTL_CORE_PROCESS_CLAIM_H

#include "core/process/heritage.h"
#include "core/shm/registry.h"

/*
 * An entry for this process that starts as `start' says.  Where there is none
 * to be had no process will find us, but the streams that we have found go on.
 * No entry from before `since' is of this process.
 */
struct ptl_shm_entry *ptl_claim_entry(struct ptl_shm_entry *start,
				      uint64_t since);

/*
 * The entry that the parent of this fork child has claimed for it, filled in.
 * NULL: there is none, or it is not for a process of this namespace and user.
 */
struct ptl_shm_entry *ptl_claim_expected(const struct ptl_heritage *heritage);

/* Gives it back, unused.  Returns by which number the parent knows the child;
 * 0: the parent has not run since. */
uint32_t ptl_claim_nothing(const struct ptl_registry *reg,
			   const struct ptl_heritage *heritage);

#endif
