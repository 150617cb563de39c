/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_eventid_open: a program may give its events the names that our
 * system events have; they are user events then, and not those.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <stdio.h>
#include <string.h>

static const char *const names[] = {"process:start", "process:exit",
				    "thread:start", "dl:map"};
#define NR (int)(sizeof(names) / sizeof(names[0]))

/* How many of all that are not the standard's would be an event of ours. */
static int count_taken(trace_id_t trid, const trace_event_set_t *sys)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	int taken = 0;

	for (trace_event_id_t id = 0; id < 256; id++) {
		int member = 0;

		posix_trace_eventset_ismember(id, sys, &member);
		if (!member || posix_trace_eventid_get_name(trid, id, name) ||
		    strncmp(name, "posix_trace_", 12) == 0)
			continue;
		posix_trace_eventset_ismember(event_id(name), sys, &member);
		if (member)
			printf("# %s\n", name);
		taken += member;
	}
	return taken;
}

int main(void)
{
	char name[TRACE_EVENT_NAME_MAX + 1] = "";
	trace_event_id_t id, again;
	trace_event_set_t sys;
	trace_id_t trid;
	struct event ev;
	int member;

	plan(4 * NR + 1);
	trid = stream_make(0, NULL);
	posix_trace_eventset_fill(&sys, POSIX_TRACE_SYSTEM_EVENTS);
	posix_trace_set_filter(trid, &sys, POSIX_TRACE_SET_EVENTSET);
	stream_start(trid);
	for (int i = 0; i < NR; i++) {
		member = -1;
		id = event_id(names[i]);
		posix_trace_eventset_ismember(id, &sys, &member);
		is_int(member, 0, "[eventid_open.1] %s is a user event",
		       names[i]);
		posix_trace_trid_eventid_open(trid, names[i], &again);
		is_int(again, id, "[trid_eventid_open.5] for all alike");
		posix_trace_eventid_get_name(trid, id, name);
		is_str(name, names[i], "[eventid_get_name.1] so called");
		event_put(id, 9);
		ok(event_next(trid, &ev) && ev.info.posix_event_id == id &&
			   ev.word == 9,
		   "[user_event.1] and recorded");
	}
	is_int(count_taken(trid, &sys), 0,
	       "[eventid_open.1] so are all of ours");
	stream_end(trid);
	return done();
}
