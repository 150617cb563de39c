/* SPDX-License-Identifier: MIT */
/* What is recorded while a trace waits for `--do start'. */
#ifndef PTL_TOOLS_MONITOR_TRIGGER_WAITING_H
#define PTL_TOOLS_MONITOR_TRIGGER_WAITING_H

#include <trace.h>

#include "tools/monitor/trigger/triggers.h"

/*
 * From now on only what an expression can match, and which processes, programs,
 * threads and libraries there are: the latter give names to what comes later.
 * The filter is the trace's.  Returns 0 or the error number.
 */
int ptl_waiting_begin(trace_id_t trid, const struct ptl_triggers *triggers,
		      const trace_event_set_t *filter);

#endif
