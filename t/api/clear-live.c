/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_clear: a stream without log becomes as it was when created,
 * whatever its state was, except for its names and whether it runs; later
 * events are in it, and no START if it runs.
 */
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <string.h>

#define PLENTY 20000UL

static trace_event_id_t id;

static void record(unsigned long nr)
{
	for (unsigned long i = 0; i < nr; i++)
		story_put(id, 0, i);
}

static int filters_nothing(trace_id_t trid)
{
	trace_event_set_t set, empty;

	posix_trace_eventset_empty(&empty);
	memset(&set, 0xff, sizeof(set));
	posix_trace_get_filter(trid, &set);
	return !memcmp(&set, &empty, sizeof(set));
}

/*
 * Seventeen tests.  Clears, and looks at all that there was, then at what
 * comes after.
 */
static void check(trace_id_t trid, int running, const char *when)
{
	struct posix_trace_status_info status;
	struct story story;
	struct event ev;

	is_int(posix_trace_clear(trid), 0, "[clear.1] %s", when);
	status = status_of(trid);
	is_int(status.posix_stream_status,
	       running ? POSIX_TRACE_RUNNING : POSIX_TRACE_SUSPENDED,
	       running ? "[clear.4] runs on" : "[clear.5] stays suspended");
	is_int(status.posix_stream_full_status, POSIX_TRACE_NOT_FULL,
	       "[clear.7] not full");
	is_int(status.posix_stream_overrun_status, POSIX_TRACE_NO_OVERRUN,
	       "[clear.10] no overrun");
	ok(status.posix_stream_flush_error == 0 &&
	   status.posix_stream_flush_status == POSIX_TRACE_NOT_FLUSHING &&
	   status.posix_log_full_status == POSIX_TRACE_NOT_FULL &&
	   status.posix_log_overrun_status == POSIX_TRACE_NO_OVERRUN,
	   "[xsh_status.23] no log");
	ok(filters_nothing(trid), "[clear.9] the filter is empty");
	if (running) {
		ok(!event_next(trid, &ev), "[clear.6] nothing is left");
		record(1);
		ok(event_next(trid, &ev) && ev.info.posix_event_id == id,
		   "[clear.17] the next event is the first");
	} else {
		ok(!event_next(trid, &ev), "[clear.6] nothing is left");
		record(3);
		ok(!event_next(trid, &ev), "[clear.5] nothing is recorded");
		stream_begin(trid);
		event_next(trid, &ev);
	}
	stream_only_user(trid);
	record(100);
	story_read(trid, id, &story);
	is_int(story.users, 100, "[clear.6] what came after is there");
	is_int(story.writer[0].first == 0 && story.writer[0].gaps == 0, 1,
	       "[clear.6] from its first on");
	is_int(story.system[POSIX_TRACE_OVERFLOW] +
	       story.system[POSIX_TRACE_RESUME], 0,
	       "[clear.10] no loss is told");
	is_int(story.system[POSIX_TRACE_STOP], 0, "no STOP");
	status = status_of(trid);
	is_int(status.posix_stream_status, POSIX_TRACE_RUNNING, "it runs");
	is_int(status.posix_stream_overrun_status, POSIX_TRACE_NO_OVERRUN,
	       "nothing was lost");
	is_int(posix_trace_clear(trid), 0, "[clear.1] and again");
	is_int(posix_trace_clear(trid), 0, "[clear.1] twice in a row");
	ok(!event_next(trid, &ev), "[clear.17] and nothing is there");
}

static trace_id_t make(int policy)
{
	trace_id_t trid = stream_make(0, stream_attr(65536, 64, policy));

	stream_only_user(trid);
	return trid;
}

static void with_policy(int policy, const char *name)
{
	trace_id_t trid = make(policy);
	struct event ev;

	diag("%s", name);
	check(trid, 0, "new");
	stream_end(trid);

	trid = make(policy);
	stream_start(trid);
	record(10);
	stream_stop(trid);
	check(trid, 0, "stopped, with events");
	stream_end(trid);

	trid = make(policy);
	stream_start(trid);
	record(10);
	check(trid, 1, "running, with events");
	record(PLENTY);
	/* Suspended by itself; LOOP runs. */
	check(trid, policy == POSIX_TRACE_LOOP, "full");
	stream_end(trid);

	trid = make(policy);
	stream_start(trid);
	record(PLENTY);
	for (int i = 0; i < 5; i++)
		event_next(trid, &ev);
	check(trid, status_of(trid).posix_stream_status == POSIX_TRACE_RUNNING,
	      "full, partly read");
	stream_end(trid);
}

static void loop_stopped(void)
{
	trace_id_t trid = make(POSIX_TRACE_LOOP);

	stream_start(trid);
	record(PLENTY);
	stream_stop(trid);
	check(trid, 0, "LOOP, stopped while full");
	stream_end(trid);
}

int main(void)
{
	plan(11 * 17);
	id = event_id("an event");
	with_policy(POSIX_TRACE_LOOP, "LOOP");
	with_policy(POSIX_TRACE_UNTIL_FULL, "UNTIL_FULL");
	loop_stopped();
	return done();
}
