/* SPDX-License-Identifier: MIT */
#include "core/sys/away.h"

_Atomic uintptr_t ptl_away_next;
uintptr_t ptl_away_end;

/* A part of what may be addressed: a TiB of the usual 128, and on machines with
 * less as much less. */
#define PART 128

/* The program and its heap are in the lower two thirds. */
#define END_PART 4

/* Where the libraries are as low as in valgrind, the heap comes after them. */
#define LOW ((uintptr_t)UINT32_MAX)

void ptl_away_begin(uintptr_t library)
{
	uintptr_t first =
		(library - library / PART) & ~(uintptr_t)(PTL_AWAY_UNIT - 1);

	if (library <= LOW)
		return;
	ptl_away_end = library - library / END_PART;
	atomic_store_explicit(&ptl_away_next, first, memory_order_relaxed);
}
