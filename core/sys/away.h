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

/* The next place, or its end; 0: wherever the kernel likes. */
extern _Atomic uintptr_t ptl_away_next __attribute__((visibility("hidden")));

/* The program begins: it has no holes yet.  (Before, what lies together saves
 * each process page tables.) */
void ptl_away_begin(void);

#define PTL_AWAY_UNIT 65536 /* no page is larger */

/* A place for so many bytes, and some in between, or NULL. */
PTL_INLINE void *ptl_away(size_t size)
{
	uintptr_t room = (size + 2 * PTL_AWAY_UNIT - 1) &
			 ~(uintptr_t)(PTL_AWAY_UNIT - 1);

	if (!atomic_load_explicit(&ptl_away_next, memory_order_relaxed))
		return NULL;
	return (void *)(atomic_fetch_sub_explicit(&ptl_away_next, room,
						  memory_order_relaxed) -
			room);
}

#endif
