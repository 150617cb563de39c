/* SPDX-License-Identifier: MIT */
/* See told.h. */
#include "tools/monitor/trigger/told.h"

#include <stdio.h>
#include <string.h>

#include "tools/lib/say.h"

const char *ptl_told_firings(const struct ptl_triggers *triggers,
			     const struct ptl_report_triggers *report,
			     char buf[48])
{
	buf[0] = '\0';
	/* Some may have come by ptrace-ctl. */
	if (triggers->nr > 0 || report->fired > 0)
		snprintf(buf, 48, ", %llu firing%s", report->fired,
			 report->fired == 1 ? "" : "s");
	return buf;
}

void ptl_told_say(const struct ptl_report_triggers *report)
{
	if (report->nr_snapshots > 0)
		ptl_say("%u snapshot%s, the last one %s", report->nr_snapshots,
			report->nr_snapshots == 1 ? "" : "s", report->snapshot);
	if (report->snapshot_error != 0)
		ptl_say("--do snapshot: cannot write it: %s",
			ptl_say_refused(report->snapshot_error));
	if (report->missed > 0)
		ptl_say("--when has not seen %llu event%s: overwritten before "
			"it looked; a larger -b has more room",
			report->missed, report->missed == 1 ? "" : "s");
	if (report->has_died)
		ptl_say("--when: ptrace-trigger ended before the trace did: "
			"what came later was not looked at");
}
