/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_eventid_get_name, posix_trace_event: ids that were never opened
 * are EINVAL for the first, record no event with the second, and crash neither.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>

static const trace_event_id_t nonsense[] = {
	0, 10, 39, 4095, 4096, 8191, 16639, 16640, 0x7fffffff, 0x7f7f7f7f, 0xffffffff,
};
#define NR (int)(sizeof(nonsense) / sizeof(nonsense[0]))

int main(void)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_id_t id;
	struct event ev;
	trace_id_t trid;
	int found = 0;

	plan(NR + 8);
	trid = stream_run(0, NULL);
	for (int i = 0; i < NR; i++) {
		is_int(posix_trace_eventid_get_name(trid, nonsense[i], name),
		       EINVAL,
		       "[eventid_get_name.7] get_name of %#x", nonsense[i]);
		if (nonsense[i] < 256 || nonsense[i] >= _PTL_EVENT_ID_LIMIT)
			event_put(nonsense[i], 1);
	}
	event_put(POSIX_TRACE_START, 1);
	event_put(POSIX_TRACE_OVERFLOW, 1);
	ok(event_find(trid, POSIX_TRACE_START, &ev), "START is there");
	while (event_next(trid, &ev))
		found++;
	is_int(found, 0, "and no other event");
	is_int(posix_trace_eventid_get_name(trid, POSIX_TRACE_START, NULL),
	       EINVAL, "a null name");
	is_int(posix_trace_eventid_open(NULL, &id), EINVAL, "open(NULL)");
	is_int(posix_trace_eventid_open("x", NULL), EINVAL, "open to NULL");
	is_int(posix_trace_trid_eventid_open(trid, NULL, &id), EINVAL,
	       "trid_eventid_open(NULL)");
	is_int(posix_trace_trid_eventid_open(trid, "x", NULL), EINVAL,
	       "trid_eventid_open to NULL");
	id = event_id("data is null");
	posix_trace_event(id, NULL, 100);
	ok(event_find(trid, id, &ev) && ev.size == 0, "no data, no crash");
	stream_end(trid);
	return done();
}
