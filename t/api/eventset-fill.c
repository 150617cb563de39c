/* SPDX-License-Identifier: MIT */
/* Each way to fill a set holds the one before it, and what it says. */
#include <trace.h>

#include "t/lib/tap.h"

#include <errno.h>
#include <string.h>

static trace_event_set_t wopid, sys, all;

static int in(trace_event_id_t id, const trace_event_set_t *set)
{
	int ret = -1;

	return posix_trace_eventset_ismember(id, set, &ret) ? -1 : ret != 0;
}

int main(void)
{
	trace_event_set_t set;
	int more = 0, missing = 0;

	plan(15);
	/* Old contents are nothing. */
	memset(&wopid, 0xff, sizeof(wopid));
	memset(&sys, 0xff, sizeof(sys));
	is_int(posix_trace_eventset_fill(&wopid, POSIX_TRACE_WOPID_EVENTS), 0,
	       "[eventset_fill.5] events without a process");
	is_int(posix_trace_eventset_fill(&sys, POSIX_TRACE_SYSTEM_EVENTS), 0,
	       "system events");
	is_int(posix_trace_eventset_fill(&all, POSIX_TRACE_ALL_EVENTS), 0,
	       "all events");
	for (trace_event_id_t id = 0; id < _PTL_EVENT_ID_LIMIT; id++) {
		more += in(id, &wopid) > in(id, &sys) ||
			in(id, &sys) > in(id, &all);
		missing += in(id, &all) == 0;
	}
	is_int(more, 0,
	       "[eventset_fill.2 eventset_fill.3] each holds the one before");
	is_int(missing, 0, "[eventset_fill.3] all are all");
	is_int(in(POSIX_TRACE_OVERFLOW, &wopid), 1,
	       "[eventset_fill.1] overflow has no process");
	is_int(in(16, &wopid), 0,
	       "[eventset_fill.1 eventset_fill.4] process:start has one");
	is_int(in(16, &sys), 1, "[eventset_fill.2] and is a system event");
	is_int(in(POSIX_TRACE_FILTER, &sys), 1,
	       "[eventset_fill.2] so is filter");
	is_int(in(POSIX_TRACE_UNNAMED_USEREVENT, &sys), 0,
	       "[eventset_fill.2] the unnamed one is a user event");
	is_int(in(POSIX_TRACE_UNNAMED_USEREVENT, &all), 1, "of all");
	is_int(in(300, &sys), 0,
	       "[eventset_fill.2 eventset_fill.4] a named one is a user event");
	is_int(in(300, &all), 1, "of all");
	set = all;
	is_int(posix_trace_eventset_fill(&set, 0), EINVAL,
	       "[eventset_fill.6] filled with what?");
	is_int(memcmp(&set, &all, sizeof(set)), 0, "then it is untouched");
	return done();
}
