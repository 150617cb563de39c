/* SPDX-License-Identifier: MIT */
/*
 * Memory for the moment before an exec or spawn: not the stack, which may be
 * 16 KiB; not the heap, whose lock may be held.  Usually a mapping of its own.
 * A vfork child may not map (it would leak in its parent), nor may a process
 * under seccomp: they use what was reserved for the thread beforehand.
 */
#ifndef PTL_PRELOAD_LIBC_SCRATCH_H
#define PTL_PRELOAD_LIBC_SCRATCH_H

#include "core/base.h"

struct ptl_scratch {
	char *base; /* NULL: there is none */
	size_t size;
	bool reserved; /* part of the thread's reserve */
};

/* Gets `size' bytes, aligned to 8; false if there is no memory.  Gives them
 * back in the opposite order.  Both async-signal-safe. */
bool ptl_scratch_get(struct ptl_scratch *scratch, size_t size);
void ptl_scratch_put(struct ptl_scratch *scratch);

/* Makes sure that this thread has a reserve of `size' bytes, and that none of
 * it is in use.  Not in a vfork child. */
void ptl_scratch_reserve(size_t size);

/* The thread ends. */
void ptl_scratch_drop(void);

/* No system call may be made from now on, except what the program asks for. */
void ptl_quiet_start(void);
bool ptl_is_quiet(void);

#endif
