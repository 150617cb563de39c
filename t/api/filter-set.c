/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_set_filter: sets, adds and subtracts; what is filtered is not
 * recorded; while running the change is, as POSIX_TRACE_FILTER.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <string.h>

int main(void)
{
	trace_event_id_t a = event_id("a"), b = event_id("b");
	trace_event_set_t set_a, set_b, both, got, empty;
	struct event ev;
	trace_id_t trid;

	plan(20);
	posix_trace_eventset_empty(&empty);
	set_a = set_b = empty;
	posix_trace_eventset_add(a, &set_a);
	posix_trace_eventset_add(b, &set_b);
	both = set_a;
	posix_trace_eventset_add(b, &both);
	trid = stream_make(0, NULL);
	is_int(posix_trace_set_filter(trid, &set_a, POSIX_TRACE_SET_EVENTSET),
	       0, "[set_filter.1] set");
	is_int(posix_trace_set_filter(trid, &set_b, POSIX_TRACE_ADD_EVENTSET),
	       0, "[set_filter.6] add");
	posix_trace_get_filter(trid, &got);
	ok(!memcmp(&got, &both, sizeof(got)), "[set_filter.6] both");
	is_int(posix_trace_set_filter(trid, &set_a, POSIX_TRACE_SUB_EVENTSET),
	       0, "[set_filter.7] subtract");
	posix_trace_get_filter(trid, &got);
	ok(!memcmp(&got, &set_b, sizeof(got)), "[set_filter.7] one is left");
	is_int(posix_trace_set_filter(trid, &set_b, 0), EINVAL,
	       "[set_filter.11] no such how");
	is_int(posix_trace_set_filter(trid, &set_b, 99), EINVAL,
	       "[set_filter.11] nor this");
	ok(!event_next(trid, &ev), "nothing recorded while suspended");

	stream_start(trid);
	event_find(trid, POSIX_TRACE_START, &ev);
	event_put(a, 1);
	event_put(b, 2);
	posix_trace_set_filter(trid, &set_a, POSIX_TRACE_SET_EVENTSET);
	event_put(a, 3);
	event_put(b, 4);
	ok(event_find(trid, a, &ev) && ev.word == 1, "a, not filtered");
	ok(event_next(trid, &ev), "next");
	is_int(ev.info.posix_event_id, POSIX_TRACE_FILTER,
	       "[set_filter.4] is the change of the filter");
	is_int((long long)ev.size, 2 * sizeof(got), "[xsh_events.6] two sets");
	ok(!memcmp(&ev.set[0], &set_b, sizeof(got)), "[xsh_events.6] the old");
	ok(!memcmp(&ev.set[1], &set_a, sizeof(got)), "[xsh_events.6] the new");
	ok(event_next(trid, &ev) && ev.info.posix_event_id == b &&
	   ev.word == 4, "[set_filter.12] b, no longer filtered");
	ok(!event_next(trid, &ev), "nothing else");

	posix_trace_eventset_fill(&got, POSIX_TRACE_ALL_EVENTS);
	posix_trace_set_filter(trid, &got, POSIX_TRACE_SET_EVENTSET);
	ok(event_next(trid, &ev) &&
	   ev.info.posix_event_id == POSIX_TRACE_FILTER,
	   "[set_filter.4] FILTER of the change to everything");
	event_put(a, 5);
	event_put(POSIX_TRACE_UNNAMED_USEREVENT, 6);
	stream_stop(trid);
	stream_start(trid);
	ok(!event_next(trid, &ev),
	   "[xsh_events.17] system events can be filtered, too");
	posix_trace_set_filter(trid, &empty, POSIX_TRACE_SET_EVENTSET);
	ok(event_find(trid, POSIX_TRACE_FILTER, &ev), "FILTER");
	ok(!memcmp(&ev.set[1], &empty, sizeof(got)), "nothing is filtered");
	stream_end(trid);
	return done();
}
