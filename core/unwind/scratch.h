/* SPDX-License-Identifier: MIT */
/*
 * Working memory that does not fit on the program's stack, which may be small.
 * A fork wipes none of it: a child may go on with what its parent was
 * interrupted in.
 *
 * A desk is the memory for unwinding a stack.  Each slot has one; if that is in
 * use, another one is taken.  An aside is a desk with memory for rare cases:
 * vector registers, and the search for rules that are not in the cache.
 */
#ifndef PTL_CORE_UNWIND_SCRATCH_H
#define PTL_CORE_UNWIND_SCRATCH_H

#include "core/sys/vectors.h"
#include "core/unwind/cfi.h"

#define PTL_DESK_WORDS 96

struct ptl_desk {
	_Atomic uint64_t owner; /* its tid; 0: free */
	uintptr_t sp;		/* the owner's stack pointer when it took it */
	uint64_t word[PTL_DESK_WORDS];
};

struct ptl_aside {
	struct ptl_desk desk;
	struct ptl_unwind_object object;
	struct ptl_cfi_row row;
	struct ptl_cfi_run run;
	struct ptl_dwarf_operands operands;
	uint64_t value[PTL_DWARF_REGS];
	struct ptl_vectors vectors;
};

/*
 * Takes an aside for the calling thread; async-signal-safe.  NULL: all are in
 * use, for which as many threads would have to meet new code at the same time.
 */
struct ptl_aside *ptl_aside_take(void);
void ptl_aside_put(struct ptl_aside *aside);

/* The number of an aside, from 0. */
#define PTL_ASIDES 64
unsigned int ptl_aside_number(const struct ptl_aside *aside);

/* Takes the desk of the calling thread's slot (or NULL), or another one; NULL
 * as above.  Async-signal-safe. */
struct ptl_desk *ptl_desk_take(struct ptl_desk *own);

PTL_INLINE void ptl_desk_put(struct ptl_desk *desk)
{
	/* Pairs with claim(). */
	atomic_store_explicit(&desk->owner, 0, memory_order_release);
}

/* Frees the desk, whoever has it. */
void ptl_desk_clear(struct ptl_desk *desk);

/* ptl_desk_leave() if a frame further down the caller's stack has it: such
 * frames are gone. */
void ptl_desk_leave(struct ptl_desk *desk);

/* Around a call of code that may use vector registers. */
void ptl_aside_save(struct ptl_aside *aside);
void ptl_aside_restore(struct ptl_aside *aside);

/* Near the top of the main thread's stack. */
extern uint64_t ptl_unwind_main_top __attribute__((visibility("hidden")));

#endif
