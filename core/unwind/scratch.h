/* SPDX-License-Identifier: MIT */
/*
 * Memory for what takes more than may be taken of the program's stack, which
 * may be small.  None of it is wiped by a fork: a child may go on with what its
 * parent was interrupted in.
 *
 * A desk is what a stack is unwound on.  Each slot has one; another is for who
 * finds that one in use.  An aside is a desk and memory for what is rare: the
 * vector registers, and what finds rules that are not known yet.
 */
#ifndef PTL_CORE_UNWIND_SCRATCH_H
#define PTL_CORE_UNWIND_SCRATCH_H

#include "core/sys/vectors.h"
#include "core/unwind/cfi.h"

#define PTL_DESK_WORDS 96

struct ptl_desk {
	_Atomic uint64_t owner; /* the thread; 0: free */
	uintptr_t sp;		/* where it was on its stack then */
	uint64_t word[PTL_DESK_WORDS];
};

struct ptl_aside {
	struct ptl_desk desk;
	struct ptl_cfi_row row;
	struct ptl_cfi_run run;
	uint64_t value[PTL_DWARF_REGS];
	struct ptl_vectors vectors;
};

/*
 * One for the calling thread; async-signal-safe.  NULL: all are in use, which
 * would take as many threads that meet new code at the same moment.
 */
struct ptl_aside *ptl_aside_take(void);
void ptl_aside_put(struct ptl_aside *aside);

/* Which of them it is. */
#define PTL_ASIDES 64
unsigned int ptl_aside_number(const struct ptl_aside *aside);

/* The desk of the calling thread's slot (or NULL), or another; NULL as above.
 * Async-signal-safe. */
struct ptl_desk *ptl_desk_take(struct ptl_desk *own);

PTL_INLINE void ptl_desk_put(struct ptl_desk *desk)
{
	/* Pairs with claim(). */
	atomic_store_explicit(&desk->owner, 0, memory_order_release);
}

/* Nobody has it any more. */
void ptl_desk_clear(struct ptl_desk *desk);

/* The same, if it was a frame further down the caller's stack that had it: such
 * are gone. */
void ptl_desk_leave(struct ptl_desk *desk);

/* Around a call of what may use vector registers. */
void ptl_aside_save(struct ptl_aside *aside);
void ptl_aside_restore(struct ptl_aside *aside);

#endif
