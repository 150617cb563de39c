/* SPDX-License-Identifier: MIT */
/* Says to who sits before a terminal, once each, that a log becomes large, that
 * events are lost, and that the program waits for the log. */
#ifndef PTL_TOOLS_MONITOR_WATCH_H
#define PTL_TOOLS_MONITOR_WATCH_H

#include "tools/monitor/options.h"
#include "tools/monitor/output/output.h"

/* From now on SIGALRM interrupts what waits, each second, until all has been
 * said; only where standard error is a terminal. */
void ptl_watch_begin(const struct ptl_run_options *options,
		     const struct ptl_output *output, int link_fd);

/* After such a wait. */
void ptl_watch_look(void);

/* The log has all, or is looked at no more. */
void ptl_watch_end(void);

#endif
