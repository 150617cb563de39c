/* SPDX-License-Identifier: MIT */
/*
 * The rules of places that stacks led through before, for that is where the
 * next ones lead through: in a word each, as most fit into one.  No lock; a
 * handler or another thread may change an entry at any time.
 */
#ifndef PTL_CORE_UNWIND_CACHE_H
#define PTL_CORE_UNWIND_CACHE_H

#include "core/unwind/cfi.h"

/*
 * As far as calls keep them: rbx, rbp, r12 to r15.  The CFA is an offset from
 * rsp or rbp, the return address is below it, and each of these registers is
 * unchanged or saved below that.
 */
#define PTL_ROWS_KEPT 6
static const unsigned char ptl_rows_kept[PTL_ROWS_KEPT] = {3,  PTL_CFI_RBP, 12,
							   13, 14,	    15};

#define PTL_ROWS_OUTERMOST (UINT64_C(1) << 63) /* there is no caller */
#define PTL_ROWS_NONE (UINT64_C(1) << 62)      /* no rules: frame pointers */
#define PTL_ROWS_BY_RBP (UINT64_C(1) << 16)

PTL_INLINE uint64_t ptl_rows_cfa(uint64_t word)
{
	return (word & 0xffff) * 8;
}

/* How far below the CFA register ptl_rows_kept[i] is; 0: unchanged. */
PTL_INLINE uint64_t ptl_rows_below(uint64_t word, unsigned int i)
{
	return (word >> (17 + 7 * i) & 0x7f) * 8;
}

/* The row as a word; 0: it does not fit into one. */
uint64_t ptl_rows_pack(const struct ptl_cfi_row *row);

/*
 * How often ptl_rows_forget() was called: asked for before it is looked what is
 * at an address, so that what is found counts until something changes.
 */
uint64_t ptl_rows_generation(void);

/* The word for pc; 0: none is kept. */
uint64_t ptl_rows_find(uint64_t pc, uint64_t generation);
void ptl_rows_add(uint64_t pc, uint64_t generation, uint64_t word);

/* Something was loaded or unloaded: other code may be at the same place. */
void ptl_rows_forget(void);

#endif
