/* SPDX-License-Identifier: MIT */
/*
 * The stack of the calling thread, as return addresses.  Async-signal-safe,
 * loads nothing, and believes no memory that may not be there.  Takes no lock,
 * unless libunwind was chosen (backend.h).
 */
#ifndef PTL_CORE_UNWIND_UNWIND_H
#define PTL_CORE_UNWIND_UNWIND_H

#include "core/unwind/last.h"

/* Looks up what can be looked up only outside of signal handlers.  Idempotent.
 */
void ptl_unwind_init(void);

/*
 * Frames of this code are stepped over: a function that stands for one of
 * libc's and calls it is none of the program's.  Of an address in it that a
 * function returns to `plain' tells where that goes on to.  Once, by the
 * constructor.
 */
void ptl_unwind_hide(const void *from, const void *to,
		     uint64_t (*plain)(uint64_t ret));

/*
 * From now on by libunwind, where that is possible: once, by the constructor.
 * Open is the program's dlopen().  NULL, or why it cannot be loaded, and we do
 * it ourselves.
 */
const char *ptl_unwind_load(void *(*open)(const char *path, int flags));

/* An address in the library's code; NULL: it is not loaded. */
const void *ptl_unwind_loaded(void);

/* In the child of a fork, before it records anything. */
void ptl_unwind_forked(void);

/* What it takes to unwind: much for a small stack. */
struct ptl_unwinding {
	struct ptl_found found;
	struct ptl_walk walk;
};

/*
 * Finds the return addresses from `addr', which is one of a caller's caller,
 * outwards, innermost first, at most max of them (1 to PTL_STACK_MAX).  Returns
 * how many are in found.frame: at least addr itself; fewer than there are
 * frames where a frame cannot be understood.
 *
 * Walked, if not NULL: the thread's own memory of its last stack, which neither
 * a handler that interrupts this nor what this interrupts may use.
 */
size_t ptl_unwind(struct ptl_unwinding *unwinding, size_t max, uint64_t addr,
		  struct ptl_walked *walked);

#endif
