/* SPDX-License-Identifier: MIT */
/*
 * log-full-policy POSIX_TRACE_LOOP: OVERFLOW at the beginning of the log has
 * the time of the first event overwritten, which is START; a clear makes it
 * that of the START after it.
 */
#include "t/lib/clock.h"
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

/* Six tests. */
static void check(int policy, int clear, const char *name)
{
	trace_attr_t *attr =
		story_attr(1 << 20, policy, LOG_SIZE, POSIX_TRACE_LOOP);
	int fd = file_make();
	trace_id_t trid = 0;
	struct story story;
	long long from, to;

	posix_trace_create_withlog(0, attr, fd, &trid);
	stream_only_user(trid);
	if (clear) {
		stream_start(trid);
		record(trid);
		stream_stop(trid);
		clock_later();
		posix_trace_clear(trid);
		stream_only_user(trid);
	}
	from = clock_later();
	stream_start(trid);
	to = clock_ns();
	clock_later();
	record(trid);
	is_int(posix_trace_shutdown(trid), 0, "%s%s", name,
	       clear ? ", cleared" : "");
	story_log(fd, id, &story);
	is_int(story.first.info.posix_event_id, POSIX_TRACE_OVERFLOW,
	       "[xsh_events.7] OVERFLOW is the first");
	ok(event_between(&story.overflow, from, to),
	   "[xsh_events.8] when the first one lost was: %lld us later",
	   (event_ns(&story.overflow) - from) / 1000);
	ok(story.overflow.size == 0 && story.resume.size == 0,
	   "[xsh_events.7] [xsh_events.9] no data");
	is_int(story.system[POSIX_TRACE_OVERFLOW], 1, "[xsh_events.7] once");
	is_int(time_cmp(&story.resume.info.posix_timestamp,
			&story.after_resume.info.posix_timestamp), 0,
	       "[xsh_events.10] RESUME when it was good again");
	close(fd);
}

/* Neither is told if it is filtered. */
static void filtered(void)
{
	trace_attr_t *attr = story_attr(1 << 20, POSIX_TRACE_LOOP, LOG_SIZE,
					POSIX_TRACE_LOOP);
	int fd = file_make();
	trace_event_set_t set;
	trace_id_t trid = 0;
	struct story story;

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
}

int main(void)
{
	plan(38);
	id = event_id("an event");
	for (int clear = 0; clear < 2; clear++) {
		check(POSIX_TRACE_LOOP, clear, "LOOP");
		check(POSIX_TRACE_UNTIL_FULL, clear, "UNTIL_FULL");
		check(POSIX_TRACE_FLUSH, clear, "FLUSH");
	}
	filtered();
	return done();
}
