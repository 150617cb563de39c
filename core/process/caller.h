/* SPDX-License-Identifier: MIT */
/* Whose child a process will be, and by which call. */
#ifndef PTL_CORE_PROCESS_CALLER_H
#define PTL_CORE_PROCESS_CALLER_H

#include "core/format/registry.h"

/* This thread is about to make a process; the call is at that place. */
void ptl_caller_comes(const void *addr);

/* Where that was, and when (of ptl_core_call_time(); 0: not known). */
const void *ptl_caller_addr(void);
uint64_t ptl_caller_when(void);

/* This thread, which calls at `addr'; entry: its process's, or a copy of it.
 * In a fork child that has no number yet it is the one that has forked. */
struct ptl_shm_parent ptl_caller_parent(const struct ptl_shm_entry *entry,
					const void *addr);

#endif
