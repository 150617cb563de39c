/* SPDX-License-Identifier: MIT */
/*
 * log-full-policy POSIX_TRACE_LOOP: with OVERFLOW and RESUME filtered, a log
 * that went round does not tell them.
 */
#include "t/lib/logrun.h"
#include "t/lib/tap.h"

#define LOG_SIZE 65536

static trace_event_id_t id;

static void record(trace_id_t trid)
{
	for (unsigned long i = 0; i < 8000; i++) {
		story_put(id, 0, i);
		if (i % 100 == 0)
			posix_trace_flush(trid);
	}
}

int main(void)
{
	trace_attr_t *attr = story_attr(1 << 20, POSIX_TRACE_LOOP, LOG_SIZE,
					POSIX_TRACE_LOOP);
	int fd = file_make();
	trace_event_set_t set;
	trace_id_t trid = 0;
	struct story story;

	plan(2);
	id = event_id("an event");
	posix_trace_create_withlog(0, attr, fd, &trid);
	posix_trace_eventset_fill(&set, POSIX_TRACE_SYSTEM_EVENTS);
	posix_trace_set_filter(trid, &set, POSIX_TRACE_SET_EVENTSET);
	stream_start(trid);
	record(trid);
	is_int(posix_trace_shutdown(trid), 0, "all system events filtered");
	story_log(fd, id, &story);
	ok(story.users > 0 && story.nr == story.users &&
	   story.writer[0].last == 7999,
	   "[xsh_events.17] [set_filter.12] the log has ours only");
	return done();
}
