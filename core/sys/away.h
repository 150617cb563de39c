/* SPDX-License-Identifier: MIT */
/*
 * Where the memory lies that we map while the program runs: away from its own.
 * The kernel gives to who asks for none in particular the highest hole that is
 * large enough, and so to us what the program has just unmapped, where it may
 * count on a fault.  We ask for places far below, each once, which the program
 * would come to only if it had filled all in between.  They are not reserved,
 * which could be seen, and would count against limits: if one is taken we get
 * what the kernel chooses.
 */
#ifndef PTL_CORE_SYS_AWAY_H
#define PTL_CORE_SYS_AWAY_H

#include "core/base.h"

/* Places are given out from the one downwards to the other.  Both are 0 until
 * the program begins. */
extern _Atomic uintptr_t ptl_away_next __attribute__((visibility("hidden")));
extern uintptr_t ptl_away_end __attribute__((visibility("hidden")));

/* The program begins: it has no holes yet.  (Before, what lies together saves
 * each process page tables.)  Library is any address in ours. */
void ptl_away_begin(uintptr_t library);

#define PTL_AWAY_UNIT 65536 /* no page is larger */

/* A place for so many bytes, and some in between, or NULL: wherever the kernel
 * likes. */
PTL_INLINE void *ptl_away(size_t size)
{
	uintptr_t next =
		atomic_load_explicit(&ptl_away_next, memory_order_relaxed);
	uintptr_t room = (size + 2 * PTL_AWAY_UNIT - 1) &
			 ~(uintptr_t)(PTL_AWAY_UNIT - 1);

	do {
		if (next - ptl_away_end < room)
			return NULL;
	} while (!atomic_compare_exchange_weak_explicit(
		&ptl_away_next, &next, next - room, memory_order_relaxed,
		memory_order_relaxed));
	return (void *)(next - room);
}

#endif
