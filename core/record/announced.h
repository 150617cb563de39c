/* SPDX-License-Identifier: MIT */
/*
 * The children that run in our memory and have been announced, which are known
 * by their numbers only.  Of those whose parent waits (vfork) a thread has one
 * at a time, in its slot; of those that go on beside it there may be several.
 */
#ifndef PTL_CORE_RECORD_ANNOUNCED_H
#define PTL_CORE_RECORD_ANNOUNCED_H

#include "core/buffer/slot.h"

/* The child of the slot's thread that has that number, or NULL: it has not been
 * announced. */
struct ptl_announced *ptl_announced_find(struct ptl_slot *slot, uint32_t pid);

/* A child that is being announced; of more than there is room for beside their
 * parents the last is known. */
struct ptl_announced *ptl_announced_add(struct ptl_slot *slot, uint32_t pid);

/* Before another is made, which may get the number of one that has gone: system
 * calls may be made. */
void ptl_announced_sweep(void);

/* In the child of a fork, who has none. */
void ptl_announced_forked(void);

#endif
