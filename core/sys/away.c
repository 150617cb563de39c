/* SPDX-License-Identifier: MIT */
#include "core/sys/away.h"

_Atomic uintptr_t ptl_away_next;

/* A part of what may be addressed: a TiB of the usual 128, and on machines with
 * less as much less. */
#define PART 128

void ptl_away_begin(void)
{
	/* We are among the libraries, at the upper end. */
	uintptr_t here = (uintptr_t)&ptl_away_next;

	atomic_store_explicit(&ptl_away_next,
			      (here - here / PART) &
				      ~(uintptr_t)(PTL_AWAY_UNIT - 1),
			      memory_order_relaxed);
}
