/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_start: records POSIX_TRACE_START with the filter;
 * posix_trace_stop: records POSIX_TRACE_STOP with 0, and no event is recorded
 * before the one or after the other.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <string.h>

static int running(trace_id_t trid)
{
	struct posix_trace_status_info status;

	posix_trace_get_status(trid, &status);
	return status.posix_stream_status == POSIX_TRACE_RUNNING;
}

static int types(trace_id_t trid, trace_event_id_t *ids, int max)
{
	struct event ev;
	int n = 0;

	while (event_next(trid, &ev))
		if (n < max)
			ids[n++] = ev.info.posix_event_id;
	return n;
}

int main(void)
{
	trace_event_id_t id = event_id("an event"), got[8];
	trace_event_set_t filter;
	struct event ev;
	trace_id_t trid;

	plan(20);
	trid = stream_make(0, NULL);
	stream_only_user(trid);
	posix_trace_get_filter(trid, &filter);
	event_put(id, 1);
	ok(!event_next(trid, &ev), "[xsh_events.15] nothing before the start");
	is_int(posix_trace_start(trid), 0, "[start.1] start");
	ok(running(trid), "[start.1] it runs");
	is_int(posix_trace_start(trid), 0, "[start.3] start again");
	event_put(id, 2);
	is_int(posix_trace_stop(trid), 0, "[stop.1] stop");
	ok(!running(trid), "[stop.1] it is suspended");
	is_int(posix_trace_stop(trid), 0, "[stop.3] stop again");
	event_put(id, 3);

	ok(event_next(trid, &ev), "an event");
	is_int(ev.info.posix_event_id, POSIX_TRACE_START,
	       "[start.2] [xsh_events.1] START");
	is_int((long long)ev.size, sizeof(filter),
	       "[xsh_events.2] its data are a set");
	ok(!memcmp(&ev.set[0], &filter, sizeof(filter)),
	   "[xsh_events.2] the filter");
	is_int(ev.info.posix_pid, getpid(), "START is by its caller");
	ok(event_next(trid, &ev) && ev.info.posix_event_id == id &&
	   ev.word == 2, "the event between");
	ok(event_next(trid, &ev), "one more");
	is_int(ev.info.posix_event_id, POSIX_TRACE_STOP,
	       "[stop.2] [xsh_events.3] STOP");
	is_int((long long)ev.size, sizeof(int),
	       "[xsh_events.4] its data are an int");
	is_int(ev.number, 0, "[xsh_events.4] it was asked for");
	ok(!event_next(trid, &ev), "[stop.8] and no more");

	stream_start(trid);
	event_put(id, 4);
	stream_stop(trid);
	is_int(types(trid, got, 8), 3, "another round");
	ok(got[0] == POSIX_TRACE_START && got[1] == id &&
	   got[2] == POSIX_TRACE_STOP, "START, event, STOP");
	stream_end(trid);
	return done();
}
