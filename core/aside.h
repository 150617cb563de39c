/* SPDX-License-Identifier: MIT */
/*
 * Memory for what is rare and takes more than may be taken of the program's
 * stack, which may be small: the vector registers, and what a stack is unwound
 * with where the rules are not known yet.
 */
#ifndef PTL_CORE_ASIDE_H
#define PTL_CORE_ASIDE_H

#include "core/cfi.h"
#include "core/vectors.h"

struct ptl_aside {
	_Atomic uint32_t owner; /* the thread; 0: free */
	uintptr_t sp;		/* where it was on its stack then */
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

/* Around a call of what may use vector registers. */
void ptl_aside_save(struct ptl_aside *aside);
void ptl_aside_restore(struct ptl_aside *aside);

#endif
