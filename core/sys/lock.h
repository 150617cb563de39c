/* SPDX-License-Identifier: MIT */
/*
 * The one lock type, for controllers and analyzers in one process; never
 * taken by the record path.  All signals are blocked while it is held (but for
 * reading), so a handler never finds its own thread's lock taken.  A fork child
 * reinits.
 */
#ifndef PTL_CORE_SYS_LOCK_H
#define PTL_CORE_SYS_LOCK_H

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

/* glibc's __libc_single_threaded (2.32), which the constructor finds; else it
 * points to a zero. */
extern const char *ptl_single_threaded __attribute__((visibility("hidden")));

/*
 * Is this the only thread of its process?  Then plain loads and stores do: a
 * locked instruction costs more than the rest of reading an event.  Only this
 * thread can end that, by pthread_create(), which no handler may call.
 */
PTL_INLINE bool ptl_alone(void)
{
	return *ptl_single_threaded;
}

void ptl_lock_shared(struct ptl_lock *lock);
void ptl_unlock_shared(struct ptl_lock *lock);

void ptl_lock(struct ptl_lock *lock, struct ptl_lock_mask *mask);
void ptl_unlock(struct ptl_lock *lock, const struct ptl_lock_mask *mask);

/*
 * Without the signals, for reading events: two system calls less for each.
 * A handler that comes in between may record and may end the process; it may
 * not read the same stream, which no standard allows it either.
 */
PTL_INLINE void ptl_lock_only(struct ptl_lock *lock)
{
	if (ptl_alone() &&
	    !atomic_load_explicit(&lock->word, memory_order_relaxed))
		atomic_store_explicit(&lock->word, 1, memory_order_relaxed);
	else
		ptl_lock_shared(lock);
}

PTL_INLINE void ptl_unlock_only(struct ptl_lock *lock)
{
	if (ptl_alone())
		atomic_store_explicit(&lock->word, 0, memory_order_relaxed);
	else
		ptl_unlock_shared(lock);
}

/* All signals blocked, and back; what the lock uses. */
void ptl_signals_block(struct ptl_lock_mask *mask);
void ptl_signals_restore(const struct ptl_lock_mask *mask);

#endif
