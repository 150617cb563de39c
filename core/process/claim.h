/* SPDX-License-Identifier: MIT */
/* How a process comes to its entry in the registry. */
#ifndef PTL_CORE_PROCESS_CLAIM_H
#define PTL_CORE_PROCESS_CLAIM_H

#include "core/format/registry.h"

/*
 * An entry for this process that starts as `start' says.  Where there is none
 * to be had no process will find us, but the streams that we have found go on.
 * No entry from before `since' is of this process.
 */
struct ptl_shm_entry *ptl_claim_entry(struct ptl_shm_entry *start,
				      uint64_t since);

#endif
