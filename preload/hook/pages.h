/* SPDX-License-Identifier: MIT */
/*
 * Pages of the program's memory that we may read.  To ask the kernel costs more
 * than all the rest of an event, so the answers are kept, until the program
 * changes its mappings.
 */
#ifndef PTL_PRELOAD_HOOK_PAGES_H
#define PTL_PRELOAD_HOOK_PAGES_H

#include "core/base.h"

/* One table for all threads: an entry is one word, the number of a page, which
 * has 45 bits at most, and the epoch in which it was asked for. */
#define PTL_PAGES 256
#define PTL_PAGES_SHIFT 12
#define PTL_PAGES_EPOCH_BITS 18
extern _Atomic uint64_t ptl_pages_known[PTL_PAGES]
	__attribute__((visibility("hidden")));

/* Not beside the table: it changes in each fork child, few have the table. */
extern _Atomic uint64_t ptl_pages_epoch __attribute__((visibility("hidden")));

/* Constants of the program itself, as literals are: nobody writes there, and
 * nothing unmaps them.  Set before it runs; size 0: not known. */
extern uintptr_t ptl_pages_constants __attribute__((visibility("hidden")));
extern size_t ptl_pages_constants_size __attribute__((visibility("hidden")));

PTL_INLINE bool ptl_pages_are_constant(uintptr_t at)
{
	return at - ptl_pages_constants < ptl_pages_constants_size;
}

/* Mappings have changed: nothing is known any more. */
void ptl_pages_changed(void);

/* Of the page of an address: asks the kernel.  No, where that is forbidden. */
bool ptl_pages_ask(uintptr_t at);

/* Asks the kernel, and keeps a yes. */
bool ptl_pages_learn(uintptr_t at) __attribute__((noinline));

/* What is kept of the page of an address if it may be read. */
PTL_INLINE uint64_t ptl_pages_entry(uintptr_t at)
{
	uint64_t epoch =
		atomic_load_explicit(&ptl_pages_epoch, memory_order_relaxed);

	/* Never 0. */
	return UINT64_C(1) << 63 |
	       at >> PTL_PAGES_SHIFT << PTL_PAGES_EPOCH_BITS |
	       (epoch & ((UINT64_C(1) << PTL_PAGES_EPOCH_BITS) - 1));
}

/*
 * Can it be read, by what the kernel said before, if it did.  That may be
 * outdated: libc also unmaps by itself, without our noticing, what is freed. So
 * only for memory that the program is about to read, too.
 */
PTL_INLINE bool ptl_pages_know(uintptr_t at)
{
	const _Atomic uint64_t *known =
		&ptl_pages_known[(at >> PTL_PAGES_SHIFT) % PTL_PAGES];

	return PTL_LIKELY(atomic_load_explicit(known, memory_order_relaxed) ==
			  ptl_pages_entry(at)) ||
	       ptl_pages_learn(at);
}

#endif
