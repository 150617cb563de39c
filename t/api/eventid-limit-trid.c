/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_trid_eventid_open: names that the controller opens count among
 * those the traced process can have; one too many is
 * POSIX_TRACE_UNNAMED_USEREVENT, names that are there keep their ids.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <stdio.h>

/* POSIX_TRACE_UNNAMED_USEREVENT is one of the types. */
#define NR_NAMES (TRACE_USER_EVENT_MAX - 1)

static trace_event_id_t open_nr(trace_id_t trid, int i)
{
	trace_event_id_t id = 0;
	char name[32];

	snprintf(name, sizeof(name), "name %d", i);
	if (posix_trace_trid_eventid_open(trid, name, &id))
		return 0;
	return id;
}

int main(void)
{
	const int half = NR_NAMES / 2;
	static trace_event_id_t ids[NR_NAMES];
	trace_event_id_t id = 0;
	int unnamed = 0, changed = 0;
	trace_id_t trid;
	char name[32];

	plan(8);
	trid = stream_make(0, NULL);
	for (int i = 0; i < half; i++)
		ids[i] = event_id_nr("name", i);
	for (int i = half; i < NR_NAMES; i++) {
		ids[i] = open_nr(trid, i);
		unnamed += ids[i] < 256;
	}
	is_int(unnamed, 0, "[trid_eventid_open.1] so many names have ids");
	is_int(posix_trace_trid_eventid_open(trid, "one more", &id), 0,
	       "[trid_eventid_open.6] one more is 0");
	is_int(id, POSIX_TRACE_UNNAMED_USEREVENT,
	       "[trid_eventid_open.6] and unnamed");
	is_int(event_id("another more"), POSIX_TRACE_UNNAMED_USEREVENT,
	       "[eventid_open.6] for the process itself, too");
	for (int i = 0; i < NR_NAMES; i++)
		changed += open_nr(trid, i) != ids[i];
	is_int(changed, 0, "[trid_eventid_open.5] all keep their ids");
	changed = 0;
	for (int i = 0; i < NR_NAMES; i++)
		changed += event_id_nr("name", i) != ids[i];
	is_int(changed, 0, "[eventid_open.4] for the process, too");
	posix_trace_trid_eventid_open(trid, "posix_trace_stop", &id);
	is_int(id, POSIX_TRACE_STOP, "predefined names are not counted");
	is_int(posix_trace_eventid_get_name(trid, ids[NR_NAMES - 1],
					    name), 0, "the last has its name");
	stream_end(trid);
	return done();
}
