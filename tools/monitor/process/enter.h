/* SPDX-License-Identifier: MIT */
/* Tracing a process in a container from outside. */
#ifndef PTL_TOOLS_MONITOR_PROCESS_ENTER_H
#define PTL_TOOLS_MONITOR_PROCESS_ENTER_H

#include <sys/types.h>

/*
 * If the process has its registry in a /dev/shm that is not ours, puts that one
 * in the place of ours, for the calling process alone, which must have no other
 * thread; all other files stay where they are.  If its user has another number
 * there, the caller enters its user namespace.  Returns 0, also if none of this
 * is necessary, or an error number.
 */
int ptl_enter(pid_t pid);

/* Takes it away again: what the caller itself has is in ours. */
void ptl_enter_leave(void);

#endif
