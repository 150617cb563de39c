/* SPDX-License-Identifier: MIT */
/*
 * Did a signal that reached us reach our whole process group?  The kernel does
 * not say.  So a child of ours stays in the group, holds all signals blocked,
 * and tells which it got.
 */
#ifndef PTL_TOOLS_MONITOR_WITNESS_H
#define PTL_TOOLS_MONITOR_WITNESS_H

#include <signal.h>
#include <stdbool.h>

/* Without one (no process can be had) nothing is known of the group. */
void ptl_witness_start(void);
void ptl_witness_end(void);

/* The descriptor to ask by, which is to stay open; -1: there is none. */
int ptl_witness_fd(void);

/*
 * Did the signal that a handler was called with reach the witness, too?  What
 * the same sender sent once more meanwhile counts as one with it.
 * Async-signal-safe; the signal must be blocked.
 */
bool ptl_witness_saw(int signo, const siginfo_t *info);

#endif
