/* SPDX-License-Identifier: MIT */
/*
 * Did a signal that reached us reach our whole process group?  The kernel does
 * not say.  So a child of ours stays in the group, keeps all signals blocked,
 * and reports which ones it got.
 */
#ifndef PTL_TOOLS_MONITOR_PROCESS_WITNESS_H
#define PTL_TOOLS_MONITOR_PROCESS_WITNESS_H

#include <signal.h>
#include <stdbool.h>

/* If no process can be created, nothing is known of the group. */
void ptl_witness_start(void);
void ptl_witness_end(void);

/* The descriptor of the socket, which must stay open; -1: none. */
int ptl_witness_fd(void);

/*
 * Did the signal that a handler was called with reach the witness, too?  A
 * repetition by the same sender meanwhile counts as the same signal.
 * Async-signal-safe; the signal must be blocked.
 */
bool ptl_witness_saw(int signo, const siginfo_t *info);

#endif
