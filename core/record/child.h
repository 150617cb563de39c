/* SPDX-License-Identifier: MIT */
/*
 * An event in a process that still looks like its parent: in the child of a
 * fork that we have not seen, or of a vfork, which runs in its parent's memory.
 */
#ifndef PTL_CORE_RECORD_CHILD_H
#define PTL_CORE_RECORD_CHILD_H

#include "core/buffer/slot.h"

/* In the child of a fork that we have not seen: makes it a process of its own.
 * Returns what is left of the streams. */
uint64_t ptl_child_settle(uint64_t active);

/*
 * While a vfork is under way parent and child share this slot.  True: the
 * caller is the child, and was served.
 */
bool ptl_child_record(struct ptl_slot *slot, uint64_t active, uint32_t id,
		      const void *data, size_t size, const void *addr);

#endif
