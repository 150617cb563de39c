/* SPDX-License-Identifier: MIT */
/*
 * POSIX_TRACE_UNTIL_FULL: stop and start do not change a full stream; read
 * empty it runs again; one that was stopped does not, whatever is read or
 * recorded.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

static trace_id_t trid;
static trace_event_id_t id;

static void status_is(int stream, int full, const char *when)
{
	struct posix_trace_status_info status;

	posix_trace_get_status(trid, &status);
	is_int(status.posix_stream_status, stream, "%s: %s", when,
	       stream == POSIX_TRACE_RUNNING ? "running" : "suspended");
	is_int(status.posix_stream_full_status, full, "%s: %s", when,
	       full == POSIX_TRACE_FULL ? "full" : "not full");
}

static int record(unsigned long nr)
{
	for (unsigned long i = 0; i < nr; i++)
		event_put(id, i);
	return 0;
}

int main(void)
{
	struct event ev;
	int n;

	plan(20);
	id = event_id("an event");
	trid = stream_run(0, stream_attr(65536, 64, POSIX_TRACE_UNTIL_FULL));
	record(100000);
	status_is(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL, "filled");
	stream_stop(trid);
	status_is(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL, "stop");
	stream_start(trid);
	status_is(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL, "start");
	n = event_count(trid, id);
	status_is(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL, "read");
	ok(n > 0, "%d events", n);
	record(n / 2);
	stream_stop(trid);
	status_is(POSIX_TRACE_SUSPENDED, POSIX_TRACE_NOT_FULL, "stopped");
	record(100000);
	status_is(POSIX_TRACE_SUSPENDED, POSIX_TRACE_NOT_FULL, "recorded to");
	is_int(event_count(trid, id), n / 2, "what came before is there");
	status_is(POSIX_TRACE_SUSPENDED, POSIX_TRACE_NOT_FULL, "and read");
	record(10);
	ok(!event_next(trid, &ev), "nothing more");
	stream_start(trid);
	record(10);
	is_int(event_count(trid, id), 10, "until it is started");
	status_is(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL, "then");
	stream_end(trid);
	return done();
}
