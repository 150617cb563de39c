/* SPDX-License-Identifier: MIT */
/*
 * The controller process: creates the stream, starts it, and shuts it down
 * when no traced process is left.  It is detached from whoever started it:
 * no child of the traced program's, in a session of its own, with none of the
 * inherited descriptors, so that neither a terminal's signals nor the death of
 * its starter end the trace, and nobody waits for a pipe that it holds open.
 */
#ifndef PTL_TOOLS_MONITOR_CONTROL_H
#define PTL_TOOLS_MONITOR_CONTROL_H

#include <stdbool.h>
#include <sys/types.h>

#include "tools/monitor/link.h"
#include "tools/monitor/output.h"
#include "preload/settings/settings.h"

/*
 * Starts a controller of target, writing to the output, which remains the
 * caller's; all descriptors are above the standard ones.  Link_fd (to a front
 * process) or ready_fd (a byte is written to it when tracing has started) may
 * be -1.  Target has the library loaded; or it will be by the command that it
 * is about to become.  Returns 0 in the caller, or the error number; whether
 * tracing could start is told through link or ready_fd; if it could not, and
 * there is no front to do it, the log is discarded.
 */
int ptl_control_start(const struct ptl_settings *settings, pid_t target,
		      bool will_exec, const struct ptl_output *output,
		      int link_fd, int ready_fd);

#endif
