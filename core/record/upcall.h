/* SPDX-License-Identifier: MIT */
/*
 * The only calls upwards, from the record path to fork.c, which is above it:
 * an event may be the first sign that its process is a new one.
 */
#ifndef PTL_CORE_RECORD_UPCALL_H
#define PTL_CORE_RECORD_UPCALL_H

#include "core/record/owner.h"

/*
 * In the child of any fork, as early as can be: records process:fork in the
 * parent's streams, in the parent's name, then becomes a process of its own.
 * Does nothing where that was done.  Async-signal-safe.
 */
void ptl_fork_child(void);

/*
 * In a child that runs in its parent's memory (vfork), before its first event,
 * and before the call begins that it is about: announces it and claims its
 * entry, so that the image it goes on with finds itself announced.
 */
struct ptl_announced *ptl_fork_vforked(const struct ptl_emit_as *parent,
				       uint32_t pid);

#endif
