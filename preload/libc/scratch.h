/* SPDX-License-Identifier: MIT */
/*
 * Memory for the moment before an exec or spawn: not on the stack, which may be
 * as small as 16 KiB; not from the heap, whose lock may be held.  Usually a
 * mapping of its own.  A vfork child may not map memory (it would leak in its
 * parent), nor may a process under seccomp: they use what was reserved for the
 * thread before.  Where nothing can be mapped there is some for one thread.
 */
#ifndef PTL_PRELOAD_LIBC_SCRATCH_H
#define PTL_PRELOAD_LIBC_SCRATCH_H

#include "core/base.h"

struct ptl_scratch {
	char *base; /* NULL: there is none */
	size_t size;
	bool reserved; /* part of the thread's reserve */
};

/* Gets `size' bytes, aligned to 8; false if there is no memory.  Release them
 * in the opposite order.  Both are async-signal-safe. */
bool ptl_scratch_get(struct ptl_scratch *scratch, size_t size);
void ptl_scratch_put(struct ptl_scratch *scratch);

/* Makes sure that this thread has a reserve of `size' bytes, and that none of
 * it is in use.  Not in a vfork child. */
void ptl_scratch_reserve(size_t size);

/* The thread ends. */
void ptl_scratch_drop(void);

/* From now on no system call may be made, except those that the program asks
 * for. */
void ptl_quiet_start(void);
void ptl_quiet_end(void);
bool ptl_is_quiet(void);

#endif
