/* SPDX-License-Identifier: MIT */
/*
 * POSIX_TRACE_UNTIL_FULL: a full stream stops itself; after the last event
 * comes STOP with data other than 0; read to its end it runs again, with
 * START first, but for what tells that events were lost.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

int main(void)
{
	trace_event_id_t id = event_id("an event");
	struct posix_trace_status_info status;
	unsigned long next = 0;
	struct event ev;
	trace_id_t trid;
	int gaps = 0;

	plan(21);
	trid = stream_run(0, stream_attr(65536, 64, POSIX_TRACE_UNTIL_FULL));
	for (unsigned long i = 0; i < 100000; i++)
		event_put(id, i);
	posix_trace_get_status(trid, &status);
	is_int(status.posix_stream_status, POSIX_TRACE_SUSPENDED,
	       "[xsh_status.8] suspended");
	is_int(status.posix_stream_full_status, POSIX_TRACE_FULL,
	       "[xsh_status.8] full");
	is_int(posix_trace_start(trid), 0, "[start.4] start changes nothing");
	posix_trace_get_status(trid, &status);
	is_int(status.posix_stream_status, POSIX_TRACE_SUSPENDED,
	       "[xsh_status.8] suspended");
	is_int(posix_trace_stop(trid), 0, "[stop.4] nor does stop");

	ok(event_next(trid, &ev) && ev.info.posix_event_id == POSIX_TRACE_START,
	   "the first START");
	while (event_next(trid, &ev) && ev.info.posix_event_id == id)
		gaps += ev.word != next++;
	is_int(gaps, 0, "[streampolicy.2] no gap from the first");
	ok(next >= 65536 / 80, "%lu events", next);
	is_int(ev.info.posix_event_id, POSIX_TRACE_STOP,
	       "[streampolicy.3] then STOP");
	is_int((long long)ev.size, sizeof(int), "an int");
	ok(ev.number != 0, "[xsh_events.5] by itself");
	ok(event_next(trid, &ev) &&
	   ev.info.posix_event_id == POSIX_TRACE_OVERFLOW,
	   "[xsh_events.7] what came then was lost");
	ok(event_next(trid, &ev) &&
	   ev.info.posix_event_id == POSIX_TRACE_RESUME,
	   "[xsh_events.9] and here it goes on");
	ok(event_next(trid, &ev), "after them");
	is_int(ev.info.posix_event_id, POSIX_TRACE_START,
	       "[streampolicy.6] START");
	is_int((long long)ev.size, sizeof(trace_event_set_t), "with the filter");
	posix_trace_get_status(trid, &status);
	is_int(status.posix_stream_status, POSIX_TRACE_RUNNING,
	       "[streampolicy.5] it runs");
	is_int(status.posix_stream_full_status, POSIX_TRACE_NOT_FULL,
	       "not full");
	event_put(id, 77);
	ok(event_next(trid, &ev) && ev.info.posix_event_id == id &&
	   ev.word == 77, "[streampolicy.4] and records");
	ok(!event_next(trid, &ev), "that is all");

	for (int round = 0; round < 20; round++) {
		for (unsigned long i = 0; i < 3000; i++)
			event_put(id, i);
		next = 0;
		while (event_next(trid, &ev))
			if (ev.info.posix_event_id == id)
				gaps += ev.word != next++;
	}
	is_int(gaps, 0, "twenty times more");
	stream_end(trid);
	return done();
}
