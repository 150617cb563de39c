/* SPDX-License-Identifier: MIT */
/* Triggers of a trace that runs: ptrace-ctl when, triggers and forget. */
#ifndef PTL_TOOLS_MONITOR_TRIGGER_CHANGE_H
#define PTL_TOOLS_MONITOR_TRIGGER_CHANGE_H

#include "tools/monitor/trigger/firing.h"

/* Is that one of these requests?  Then it is answered. */
bool ptl_change_answer(struct ptl_firing *firing,
		       const struct ptl_talk *request, struct ptl_talk *reply);

/* In a controller that goes on after another: triggers as they were then. */
void ptl_change_restore(struct ptl_triggers *triggers,
			const struct ptl_fired *fired);

#endif
