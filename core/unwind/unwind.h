/* SPDX-License-Identifier: MIT */
/*
 * The stack of the calling thread, as return addresses.  Async-signal-safe,
 * loads nothing, and reads no memory that may not be mapped.  Takes no lock,
 * unless libunwind was chosen (backend.h).
 */
#ifndef PTL_CORE_UNWIND_UNWIND_H
#define PTL_CORE_UNWIND_UNWIND_H

#include "core/unwind/last.h"

/* Looks up what can be looked up only outside of signal handlers.  Idempotent.
 */
void ptl_unwind_init(void);

/*
 * Leaves the frames of this code out of stacks: a wrapper that stands for a
 * function of libc is no part of the program.  For an address in the code, to
 * which a function returns, `plain' returns where the program goes on from
 * there.  Called once, by the constructor.
 */
void ptl_unwind_hide(const void *from, const void *to,
		     uint64_t (*plain)(uint64_t ret));

/*
 * Uses libunwind from now on, where possible; called once, by the constructor.
 * `open' is the program's dlopen().  Returns NULL, or why libunwind cannot be
 * loaded; then our own unwinder does everything.
 */
const char *ptl_unwind_load(void *(*open)(const char *path, int flags));

/* An address in libunwind's code; NULL: it is not loaded. */
const void *ptl_unwind_loaded(void);

/* In the child of a fork, before it records anything. */
void ptl_unwind_forked(void);

/* Working memory for ptl_unwind(): too large for a small stack. */
struct ptl_unwinding {
	struct ptl_found found;
	struct ptl_walk walk;
	struct ptl_walked_use use;
};

/*
 * Finds the return addresses from `addr' outwards, innermost first, at most max
 * of them (1 to PTL_STACK_MAX); addr is the return address of one of its
 * callers.  Returns the number of addresses in found.frame: at least 1, addr
 * itself; fewer than there are frames if the caller of a frame cannot be found.
 *
 * walked, if not NULL: the thread's memory of its last stack.  Neither a
 * handler that interrupts this call nor the code that this call interrupts may
 * use it meanwhile.
 */
size_t ptl_unwind(struct ptl_unwinding *unwinding, size_t max, uint64_t addr,
		  struct ptl_walked *walked);

/*
 * ptl_unwind() from what was interrupted, whose registers a handler has:
 * innermost is `addr'.  On x86-64 by their numbers in DWARF, rip last;
 * elsewhere only those of PTL_CFI_RBP, RSP and RIP, which stand for the frame
 * pointer and the like, and the return address in register 0.
 */
size_t ptl_unwind_from(struct ptl_unwinding *unwinding, size_t max,
		       const uint64_t *reg, uint64_t addr);

#endif
