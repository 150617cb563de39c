/* SPDX-License-Identifier: MIT */
/*
 * What a process is that ran before it was traced: its program, arguments and
 * directory, its threads and their names, and what is mapped.  It has told
 * nobody, and cannot tell at any moment; so the controller does, by what /proc
 * shows.
 */
#ifndef PTL_TOOLS_MONITOR_PROCESS_RUNNING_H
#define PTL_TOOLS_MONITOR_PROCESS_RUNNING_H

#include <sys/types.h>
#include <time.h>
#include <trace.h>

/*
 * Records it in the stream, in the name of the process, as if it began at that
 * time (of CLOCK_MONOTONIC), before which no event of it is in the stream.
 * Nothing of a process in another pid namespace, whose numbers are others.
 */
void ptl_running_tell(trace_id_t trid, pid_t pid, const struct timespec *when);

#endif
