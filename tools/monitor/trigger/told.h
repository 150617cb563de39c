/* SPDX-License-Identifier: MIT */
/* What ptrace-run says of triggers when the trace has ended. */
#ifndef PTL_TOOLS_MONITOR_TRIGGER_TOLD_H
#define PTL_TOOLS_MONITOR_TRIGGER_TOLD_H

#include "tools/monitor/trigger/triggers.h"
#include "tools/monitor/wire/link.h"

/* For the summary: ", 3 firings", or nothing if there are no triggers. */
const char *ptl_told_firings(const struct ptl_triggers *triggers,
			     const struct ptl_report_triggers *report,
			     char buf[48]);

/* Snapshots; and what went wrong. */
void ptl_told_say(const struct ptl_report_triggers *report);

#endif
