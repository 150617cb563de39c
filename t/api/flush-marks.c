/* SPDX-License-Identifier: MIT */
/*
 * XSH 2.11.2: FLUSH_START and FLUSH_STOP are in the log with the time of the
 * flush, without data, in their place; filtered they are not.
 */
#include "t/lib/clock.h"
#include "t/lib/story.h"
#include "t/lib/tap.h"

static void check(int policy, const char *name)
{
	trace_event_id_t id = event_id("an event");
	long long from[3], to[3];
	int fd = file_make(), starts = 0, stops = 0, sizes = 0, times = 0;
	int others = 0;
	struct event ev;
	trace_id_t trid, log;

	trid = stream_begin(stream_make_log(0, stream_attr(0, 0, policy), fd));
	for (int i = 0; i < 3; i++) {
		event_put(id, (unsigned long)i);
		from[i] = clock_later();
		is_int(posix_trace_flush(trid), 0, "[flush.1] %s", name);
		await_flushed(trid);
		to[i] = clock_ns();
		clock_later();
	}
	stream_end(trid);
	log = log_open(fd);
	while (event_next(log, &ev)) {
		int ours = 0;

		if (ev.info.posix_event_id != POSIX_TRACE_FLUSH_START &&
		    ev.info.posix_event_id != POSIX_TRACE_FLUSH_STOP)
			continue;
		sizes += ev.size != 0;
		for (int i = 0; i < 3; i++)
			ours += event_between(&ev, from[i], to[i]);
		times += ours;
		others += !ours;
		if (ev.info.posix_event_id == POSIX_TRACE_FLUSH_START)
			starts++;
		else
			stops++;
	}
	posix_trace_close(log);
	/* There may be those of timers and of the shutdown. */
	ok(times >= 6,
	   "[xsh_events.11] [xsh_events.12] when it was: %d, %d others",
	   times, others);
	is_int(starts, stops, "[xsh_events.12] as many FLUSH_STOP");
	is_int(sizes, 0, "[xsh_events.11] without data");
}

static void filtered(void)
{
	trace_event_id_t id = event_id("an event");
	trace_event_set_t set;
	struct story story;
	int fd = file_make();
	trace_id_t trid = stream_make_log(0, NULL, fd);

	posix_trace_eventset_empty(&set);
	posix_trace_eventset_add(POSIX_TRACE_FLUSH_START, &set);
	posix_trace_eventset_add(POSIX_TRACE_FLUSH_STOP, &set);
	posix_trace_set_filter(trid, &set, POSIX_TRACE_SET_EVENTSET);
	stream_start(trid);
	story_put(id, 0, 0);
	posix_trace_flush(trid);
	stream_end(trid);
	story_log(fd, id, &story);
	is_int(story.system[POSIX_TRACE_FLUSH_START] +
	       story.system[POSIX_TRACE_FLUSH_STOP], 0,
	       "[xsh_events.17] [set_filter.12] filtered");
	is_int(story.users, 1, "the event is there");
}

int main(void)
{
	plan(20);
	check(POSIX_TRACE_LOOP, "LOOP");
	check(POSIX_TRACE_UNTIL_FULL, "UNTIL_FULL");
	check(POSIX_TRACE_FLUSH, "FLUSH");
	filtered();
	return done();
}
