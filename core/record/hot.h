/* SPDX-License-Identifier: MIT */
/*
 * Functions that are entered so often that a log would be of little else
 * (ptrace-run --hot).  They are found in what a thread has recorded, when a
 * chunk of its is full: so no call costs more.
 */
#ifndef PTL_CORE_RECORD_HOT_H
#define PTL_CORE_RECORD_HOT_H

#include "core/shm/map.h"

struct ptl_hot {
	uint32_t rate;		 /* entries within a second; 0: nobody asks */
	_Atomic uint64_t callee; /* that was found, and not yet told; or 0 */
	bool (*off)(uint64_t callee);
};
extern struct ptl_hot ptl_hot __attribute__((visibility("hidden")));

void ptl_hot_count(const struct ptl_map *map, uint64_t word)
	__attribute__((noinline));
void ptl_hot_told(void) __attribute__((noinline));

/* What the calling thread has recorded in its chunk, which is about to be
 * closed: it is in the midst of no record. */
PTL_INLINE void ptl_hot_look(const struct ptl_map *map, uint64_t word)
{
	if (PTL_UNLIKELY(ptl_hot.rate))
		ptl_hot_count(map, word);
}

/* Where a thread may record. */
PTL_INLINE void ptl_hot_tell(void)
{
	if (PTL_UNLIKELY(atomic_load_explicit(&ptl_hot.callee,
					      memory_order_relaxed)))
		ptl_hot_told();
}

#endif
