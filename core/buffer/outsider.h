/* SPDX-License-Identifier: MIT */
/*
 * Outsiders: tasks in our memory whose thread-local storage is not libc's, made
 * by clone() with CLONE_SETTLS, or by arch_prctl().  Where a thread of libc's
 * has struct ptl_own_thread, an outsider may have zeros, a copy of another
 * thread's, anything, or no memory at all.  It records nothing, and nothing of
 * ours looks behind its thread pointer; what becomes of it the process that
 * reaps it tells.
 *
 * While there is none the question costs a comparison.  What the pointer is has
 * to be known beforehand; of one that came unseen (a clone by an instruction of
 * the program's own) it is taken as a sign that struct ptl_own_thread is all
 * zeros.
 */
#ifndef PTL_CORE_BUFFER_OUTSIDER_H
#define PTL_CORE_BUFFER_OUTSIDER_H

#include "core/buffer/slot.h"

/* How many may live. */
extern _Atomic uint32_t ptl_outsiders __attribute__((visibility("hidden")));

/* A task will have that thread pointer; no task has it any more. */
void ptl_outsider_comes(const void *tls);
void ptl_outsider_gone(const void *tls);

/* The caller is about to have that thread pointer, or the one again that it had
 * first. */
void ptl_outsider_turns(const void *tls);

/* The calling thread is libc's, whoever had its thread pointer before. */
void ptl_outsider_none(void);

/* Is the caller's thread pointer that of one? */
bool ptl_outsider_asks(void);

/* For the fast path, which calls nothing: may the caller be one? */
PTL_INLINE bool ptl_outsider_maybe(void)
{
	return PTL_UNLIKELY(atomic_load_explicit(&ptl_outsiders,
						 memory_order_relaxed)) ||
	       PTL_UNLIKELY(!ptl_thread.slot);
}

PTL_INLINE bool ptl_outsider(void)
{
	if (PTL_UNLIKELY(atomic_load_explicit(&ptl_outsiders,
					      memory_order_relaxed)) &&
	    ptl_outsider_asks())
		return true;
	return PTL_UNLIKELY(!ptl_thread.slot);
}

#endif
