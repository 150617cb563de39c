/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_eventid_open: one name less than TRACE_USER_EVENT_MAX get an id
 * of their own, the next POSIX_TRACE_UNNAMED_USEREVENT; a name too long
 * ENAMETOOLONG.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <string.h>

/* POSIX_TRACE_UNNAMED_USEREVENT is one of the types. */
#define NR_NAMES (TRACE_USER_EVENT_MAX - 1)

int main(void)
{
	trace_event_id_t ids[NR_NAMES], id = 0;
	char name[TRACE_EVENT_NAME_MAX + 2];
	int unnamed = 0, same = 0, changed = 0;
	struct event ev;
	trace_id_t trid;

	plan(10);
	trid = stream_make(0, NULL);
	for (int i = 0; i < NR_NAMES; i++) {
		ids[i] = event_id_nr("name", i);
		unnamed += ids[i] == POSIX_TRACE_UNNAMED_USEREVENT;
		same += i > 0 && ids[i] == ids[i - 1];
	}
	is_int(unnamed, 0, "[eventid_open.3] so many names have ids");
	is_int(same, 0, "[eventid_open.1] each its own");
	is_int(posix_trace_eventid_open("one more", &id), 0,
	       "[eventid_open.6 eventid_open.8] one more is 0");
	is_int(id, POSIX_TRACE_UNNAMED_USEREVENT,
	       "[eventid_open.6] and unnamed");
	is_int(event_id("posix_trace_stop"), POSIX_TRACE_STOP,
	       "predefined system types are not counted");
	for (int i = 0; i < NR_NAMES; i++)
		changed += event_id_nr("name", i) != ids[i];
	is_int(changed, 0, "[eventid_open.4] all keep their ids");

	memset(name, 'x', sizeof(name));
	name[TRACE_EVENT_NAME_MAX + 1] = '\0';
	is_int(posix_trace_eventid_open(name, &id), ENAMETOOLONG,
	       "[eventid_open.9] too long");
	is_int(posix_trace_trid_eventid_open(trid, name, &id), ENAMETOOLONG,
	       "[trid_eventid_open.9] too long for a trid");

	stream_start(trid);
	event_put(POSIX_TRACE_UNNAMED_USEREVENT, 17);
	ok(event_find(trid, POSIX_TRACE_UNNAMED_USEREVENT, &ev),
	   "[xsh_2_11_2_types.9] an unnamed event is recorded");
	is_int((long long)ev.word, 17, "[xsh_2_11_2_types.10] with its data");
	stream_end(trid);
	return done();
}
