/* SPDX-License-Identifier: MIT */
/*
 * A cache of unwinding rules by address: most stacks lead through the same
 * places.  One word for each address, since most rules fit into a word.  No
 * lock; a handler or another thread may change an entry at any time.
 */
#ifndef PTL_CORE_UNWIND_CACHE_H
#define PTL_CORE_UNWIND_CACHE_H

#include "core/unwind/cfi.h"

/*
 * The registers that calls preserve: rbx, rbp, r12 to r15.  The CFA is an
 * offset from rsp or rbp, the return address is just below it, and each of
 * these registers is unchanged or saved below that.
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

/* The distance of ptl_rows_kept[i] below the CFA; 0: unchanged. */
PTL_INLINE uint64_t ptl_rows_below(uint64_t word, unsigned int i)
{
	return (word >> (17 + 7 * i) & 0x7f) * 8;
}

/* The row packed into a word; 0: it does not fit. */
uint64_t ptl_rows_pack(const struct ptl_cfi_row *row);

/*
 * The number of calls of ptl_rows_forget().  Read it before looking up what is
 * at an address: the result is then valid until something is loaded or
 * unloaded.
 */
uint64_t ptl_rows_generation(void);

/* The word for pc; 0: not in the cache. */
uint64_t ptl_rows_find(uint64_t pc, uint64_t generation);
void ptl_rows_add(uint64_t pc, uint64_t generation, uint64_t word);

/* An object was loaded or unloaded: other code may be at the same address. */
void ptl_rows_forget(void);

#endif
