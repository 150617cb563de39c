/* SPDX-License-Identifier: MIT */
/*
 * The one lock type, for controllers and analyzers in one process; never
 * taken by the record path.  All signals are blocked while it is held (but for
 * reading), so a handler never finds its own thread's lock taken.  A fork child
 * reinits.
 */
#ifndef PTL_CORE_LOCK_H
#define PTL_CORE_LOCK_H

#include "core/base.h"

struct ptl_lock {
	_Atomic uint32_t word; /* 0 free, 1 held, 2 held and awaited */
};
#define PTL_LOCK_INIT \
	{ \
		0 \
	}

/* The caller's signal mask, to be given back to unlock. */
struct ptl_lock_mask {
	uint64_t bits;
};

void ptl_lock(struct ptl_lock *lock, struct ptl_lock_mask *mask);
void ptl_unlock(struct ptl_lock *lock, const struct ptl_lock_mask *mask);

/*
 * Without the signals, for reading events: two system calls less for each.
 * A handler that comes in between may record and may end the process; it may
 * not read the same stream, which no standard allows it either.
 */
void ptl_lock_only(struct ptl_lock *lock);
void ptl_unlock_only(struct ptl_lock *lock);

/* All signals blocked, and back; what the lock uses. */
void ptl_signals_block(struct ptl_lock_mask *mask);
void ptl_signals_restore(const struct ptl_lock_mask *mask);

#endif
