/* SPDX-License-Identifier: MIT */
/* The ptrace-dump that prints the events as they come: --live; and the
 * ptrace-report that prints what they come to: --summary. */
#ifndef PTL_TOOLS_MONITOR_VIEWER_H
#define PTL_TOOLS_MONITOR_VIEWER_H

#include "tools/monitor/output/output.h"

/* The path of ptrace-dump; NULL: there is none, which has been reported. */
char *ptl_viewer_find(void);

/*
 * Starts it on a log that is being written, with standard error as its output
 * and env as its environment; from then on it is what ptl_output_wait() waits
 * for.  If it cannot be started that is reported, and the trace goes on.
 */
void ptl_viewer_start(const char *viewer, struct ptl_output *output,
		      char *const *env);

/* Prints the functions of a complete log on standard error. */
void ptl_viewer_sum_up(const char *log);

#endif
