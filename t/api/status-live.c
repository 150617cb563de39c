/* SPDX-License-Identifier: MIT */
/*
 * XSH 2.11.1: every combination of the status of a stream without log, and
 * every way from one to another.
 */
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <string.h>

#define PLENTY 20000UL

static trace_event_id_t id;

static void fill(void)
{
	for (unsigned long i = 0; i < PLENTY; i++)
		story_put(id, 0, i);
}

/* Three tests. */
static void is_status(trace_id_t trid, const char *clause, int running,
		      int full, int overrun, const char *when)
{
	struct posix_trace_status_info status = status_of(trid);

	is_int(status.posix_stream_status,
	       running ? POSIX_TRACE_RUNNING : POSIX_TRACE_SUSPENDED,
	       "%s %s: %s", clause, when, running ? "running" : "suspended");
	is_int(status.posix_stream_full_status,
	       full ? POSIX_TRACE_FULL : POSIX_TRACE_NOT_FULL, "%s %s: %s",
	       clause, when, full ? "full" : "not full");
	is_int(status.posix_stream_overrun_status,
	       overrun ? POSIX_TRACE_OVERRUN : POSIX_TRACE_NO_OVERRUN,
	       "%s %s: %s", clause, when, overrun ? "overrun" : "no overrun");
}

/* Two tests. */
static void is_logless(trace_id_t trid, const char *when)
{
	struct posix_trace_status_info status = status_of(trid);

	ok(status.posix_log_overrun_status == POSIX_TRACE_NO_OVERRUN &&
	   status.posix_log_full_status == POSIX_TRACE_NOT_FULL,
	   "[xsh_status.23] %s: no log overruns or is full", when);
	ok(status.posix_stream_flush_status == POSIX_TRACE_NOT_FLUSHING &&
	   status.posix_stream_flush_error == 0,
	   "[xsh_status.15] [xsh_status.17] %s: nothing is flushed", when);
}

static void drain(trace_id_t trid)
{
	struct event ev;

	while (event_next(trid, &ev))
		;
}

static void loop(void)
{
	trace_id_t trid =
		stream_make(0, stream_attr(65536, 64, POSIX_TRACE_LOOP));
	struct posix_trace_status_info status;

	is_status(trid, "[xsh_status.7]", 0, 0, 0, "LOOP, new");
	is_logless(trid, "LOOP, new");
	stream_start(trid);
	is_status(trid, "[xsh_status.5]", 1, 0, 0, "started");
	story_put(id, 0, 0);
	is_status(trid, "[xsh_status.5]", 1, 0, 0, "one event");
	fill();
	is_status(trid, "[xsh_status.6]", 1, 1, 1, "overwritten");
	is_status(trid, "[xsh_status.14]", 1, 1, 0, "asked again");
	fill();
	is_status(trid, "[xsh_status.11]", 1, 1, 1, "overwritten again");
	is_int(posix_trace_start(trid), 0, "[start.3] start while running");
	is_status(trid, "[start.3]", 1, 1, 0, "started twice");
	is_int(posix_trace_stop(trid), 0, "[stop.5] stop while full");
	/* STOP, too, may have overwritten an event. */
	status = status_of(trid);
	is_int(status.posix_stream_status, POSIX_TRACE_SUSPENDED,
	       "[xsh_status.9] stopped while full: suspended");
	is_int(status.posix_stream_full_status, POSIX_TRACE_FULL,
	       "[xsh_status.9] stopped while full: full");
	is_logless(trid, "LOOP, full");
	drain(trid);
	is_status(trid, "[xsh_status.7]", 0, 0, 0, "read");
	is_int(posix_trace_start(trid), 0, "[start.1] start");
	is_status(trid, "[xsh_status.5]", 1, 0, 0, "started anew");
	stream_end(trid);
}

static void until_full(void)
{
	trace_id_t trid =
		stream_make(0, stream_attr(65536, 64, POSIX_TRACE_UNTIL_FULL));
	struct posix_trace_status_info status;
	struct event ev;
	unsigned long i = 0;

	is_status(trid, "[xsh_status.7]", 0, 0, 0, "UNTIL_FULL, new");
	stream_start(trid);
	is_status(trid, "[xsh_status.5]", 1, 0, 0, "started");
	stream_stop(trid);
	is_status(trid, "[xsh_status.7]", 0, 0, 0, "stopped");
	stream_start(trid);
	do {
		story_put(id, 0, i++);
		status = status_of(trid);
	} while (i < PLENTY &&
		 status.posix_stream_status == POSIX_TRACE_RUNNING &&
		 status.posix_stream_full_status == POSIX_TRACE_NOT_FULL);
	is_int(status.posix_stream_status, POSIX_TRACE_SUSPENDED,
	       "[xsh_status.8] [streampolicy.2] it stops when it is full");
	is_int(status.posix_stream_full_status, POSIX_TRACE_FULL,
	       "[xsh_status.8] and is full in the same moment");
	is_logless(trid, "UNTIL_FULL, full");
	/* The event that did not fit may have been told above, or not. */
	status_of(trid);
	is_status(trid, "[xsh_status.12]", 0, 1, 0, "no event since");
	story_put(id, 0, i);
	is_status(trid, "[xsh_status.12]", 0, 1, 1, "an event while full");
	is_int(posix_trace_start(trid), 0, "[start.4] start while full");
	is_status(trid, "[start.4]", 0, 1, 0, "start while full");
	is_int(posix_trace_stop(trid), 0, "[stop.4] stop while full");
	is_status(trid, "[stop.4]", 0, 1, 0, "stop while full");
	ok(event_next(trid, &ev), "one is read");
	status = status_of(trid);
	ok((status.posix_stream_status == POSIX_TRACE_RUNNING) ==
	   (status.posix_stream_full_status == POSIX_TRACE_NOT_FULL),
	   "[xsh_status.8] full and suspended, or neither");
	drain(trid);
	is_status(trid, "[streampolicy.5]", 1, 0, 0, "read to its end");
	drain(trid);
	stream_stop(trid);
	is_status(trid, "[xsh_status.7]", 0, 0, 0, "stopped");
	stream_end(trid);
}

int main(void)
{
	plan(71);
	id = event_id("an event");
	loop();
	until_full();
	return done();
}
