/* SPDX-License-Identifier: MIT */
/*
 * A process that is only just starting: it has the library, which has not come
 * to join it to its trace.  On a loaded machine that may take any time.
 */
#ifndef PTL_TOOLS_MONITOR_PROCESS_STARTING_H
#define PTL_TOOLS_MONITOR_PROCESS_STARTING_H

#include <stdbool.h>
#include <sys/types.h>

/* Zeroed but for the process. */
struct ptl_starting {
	pid_t pid;
	unsigned long ticks; /* of processor time that it had used at first */
	unsigned int looks;
	unsigned int asleep; /* so many of them one after the other */
};

/* Waits a moment.  False: it is not starting, or has ended, or has done more
 * since the first call, or less, than what starts. */
bool ptl_starting_goes_on(struct ptl_starting *starting);

#endif
