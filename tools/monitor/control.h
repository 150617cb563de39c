/* SPDX-License-Identifier: MIT */
/*
 * The controller process: creates the stream, starts it, and shuts it down when
 * no traced process is left.  It is detached from the process that started it:
 * it is no child of the traced program, is in a session of its own, and has
 * none of the inherited descriptors.  So neither a terminal's signals nor the
 * death of its starter end the trace, and no process waits for a pipe that it
 * holds open.
 */
#ifndef PTL_TOOLS_MONITOR_CONTROL_H
#define PTL_TOOLS_MONITOR_CONTROL_H

#include <stdbool.h>
#include <sys/types.h>

#include "tools/monitor/wire/link.h"
#include "tools/monitor/output/output.h"
#include "tools/monitor/trigger/triggers.h"
#include "preload/settings/settings.h"

/*
 * Starts a controller of target, which writes to the output; that remains the
 * caller's.  All descriptors are above the standard ones. link_fd (to a front
 * process) or ready_fd (a byte is written to it when tracing has started) may
 * be -1; there may be no triggers (NULL).  The target has the library loaded,
 * or is about to become a command that will.  Returns 0 in the caller, or the
 * error number.  Whether tracing could start is reported by link_fd or
 * ready_fd; if it could not, and there is no front that does it, the log is
 * discarded.
 */
int ptl_control_start(const struct ptl_settings *settings,
		      const struct ptl_triggers *triggers, pid_t target,
		      bool will_exec, const struct ptl_output *output,
		      int link_fd, int ready_fd);

#endif
