/* SPDX-License-Identifier: MIT */
/*
 * Sleeping on a word of shared memory.  The sleeper announces itself in the
 * word; a writer that has news clears it and wakes once.  The race between
 * "nothing there" and "sleep" is closed on the sleeper's side by membarrier,
 * so that the writer pays no fence.
 */
#ifndef PTL_CORE_SYS_WAIT_H
#define PTL_CORE_SYS_WAIT_H

#include "core/format/layout.h"
#include "core/sys/syscall.h"

#include <time.h>

/*
 * Registers the process for GLOBAL_EXPEDITED barriers, also its own.  Once,
 * early, while it has one thread.  Not for PRIVATE_EXPEDITED ones: those fail
 * in a program that did not ask for them, which can tell by that.
 */
void ptl_wait_init(void);

/* Every thread of this process has passed a barrier; false: it could not be
 * seen to. */
bool ptl_wait_barrier(void);

/* Sets the word to 1 and makes every store of a registered writer that did
 * not yet see it visible to us: look for news once more after this. */
void ptl_wait_announce(_Atomic uint32_t *word);

/*
 * Sleeps while the word is 1, at most until the absolute CLOCK_REALTIME
 * time or for 20 ms, whichever comes first (a writer under seccomp cannot
 * wake us).  In each further round it is twice as long, up to 1.28 s: a
 * signal that comes between two sleeps interrupts none of them.  Returns 0,
 * EINTR, or ETIMEDOUT (the deadline passed; NULL: never).
 */
int ptl_wait_sleep(_Atomic uint32_t *word, const struct timespec *deadline,
		   unsigned int round);

/*
 * After a call that was to wait and came back with that negative errno: where
 * the call cannot be made for good (a filter, a limit) who makes it again at
 * once would take all of a processor.  Sleeps for so long then.  False: it had
 * a reason to come back.
 */
bool ptl_wait_instead(long err, long ns);

/* The writer's side: one load; if a thread sleeps, xchg and one futex(2). */
void ptl_wait_wake(_Atomic uint32_t *word);

#endif
