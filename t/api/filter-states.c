/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_set_filter: SET, ADD and SUB in each state of a stream; FILTER
 * tells each change made while it ran, and none else; errors change nothing.
 */
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <string.h>

static trace_event_id_t a, b, c;
static trace_event_set_t empty;

static trace_event_set_t set_of(trace_event_id_t x, trace_event_id_t y)
{
	trace_event_set_t set = empty;

	if (x)
		posix_trace_eventset_add(x, &set);
	if (y)
		posix_trace_eventset_add(y, &set);
	return set;
}

static int is_filter(trace_id_t trid, trace_event_set_t want)
{
	trace_event_set_t got;

	memset(&got, 0x55, sizeof(got));
	return posix_trace_get_filter(trid, &got) == 0 &&
	       !memcmp(&got, &want, sizeof(got));
}

static int change(trace_id_t trid, trace_event_set_t set, int how)
{
	return posix_trace_set_filter(trid, &set, how);
}

/* Ten tests. */
static void all_ways(trace_id_t trid, const char *when)
{
	ok(!change(trid, set_of(a, b), POSIX_TRACE_SET_EVENTSET) &&
	   is_filter(trid, set_of(a, b)), "[set_filter.5] %s: SET", when);
	ok(!change(trid, set_of(b, c), POSIX_TRACE_SUB_EVENTSET) &&
	   is_filter(trid, set_of(a, 0)), "[set_filter.7] %s: SUB", when);
	ok(!change(trid, set_of(c, 0), POSIX_TRACE_SUB_EVENTSET) &&
	   is_filter(trid, set_of(a, 0)),
	   "[set_filter.7] %s: SUB of what is not there", when);
	ok(!change(trid, set_of(a, c), POSIX_TRACE_ADD_EVENTSET) &&
	   is_filter(trid, set_of(a, c)), "[set_filter.6] %s: ADD", when);
	ok(!change(trid, empty, POSIX_TRACE_ADD_EVENTSET) &&
	   is_filter(trid, set_of(a, c)), "[set_filter.6] %s: ADD of nothing",
	   when);
	ok(!change(trid, set_of(b, 0), POSIX_TRACE_SET_EVENTSET) &&
	   is_filter(trid, set_of(b, 0)),
	   "[set_filter.5] %s: SET drops what was", when);
	is_int(change(trid, set_of(a, 0), -1), EINVAL,
	       "[set_filter.11] %s: no such how", when);
	is_int(posix_trace_set_filter(trid, NULL, POSIX_TRACE_SET_EVENTSET),
	       EINVAL, "[set_filter.10] %s: no set", when);
	is_int(posix_trace_get_filter(trid, NULL), EINVAL,
	       "[get_filter.3] %s: nowhere to put it", when);
	ok(is_filter(trid, set_of(b, 0)),
	   "[get_filter.1] %s: errors changed nothing", when);
}

static int next_change(trace_id_t trid, trace_event_set_t from,
		       trace_event_set_t to)
{
	struct event ev;

	if (!event_next(trid, &ev) ||
	    ev.info.posix_event_id != POSIX_TRACE_FILTER)
		return 0;
	return ev.size == 2 * sizeof(empty) &&
	       !memcmp(&ev.set[0], &from, sizeof(from)) &&
	       !memcmp(&ev.set[1], &to, sizeof(to)) &&
	       ev.info.posix_truncation_status == POSIX_TRACE_NOT_TRUNCATED;
}

/* What all_ways() has left while running; six changes. */
static int its_changes(trace_id_t trid, trace_event_set_t before)
{
	return next_change(trid, before, set_of(a, b)) &&
	       next_change(trid, set_of(a, b), set_of(a, 0)) &&
	       next_change(trid, set_of(a, 0), set_of(a, 0)) &&
	       next_change(trid, set_of(a, 0), set_of(a, c)) &&
	       next_change(trid, set_of(a, c), set_of(a, c)) &&
	       next_change(trid, set_of(a, c), set_of(b, 0));
}

static void filter_of_filter(trace_id_t trid)
{
	trace_event_set_t set = set_of(POSIX_TRACE_FILTER, 0);
	struct event ev;

	change(trid, set, POSIX_TRACE_SET_EVENTSET);
	ok(next_change(trid, set_of(b, 0), set) && !event_next(trid, &ev),
	   "[set_filter.4] FILTER of the change that filters it");
	change(trid, set_of(a, 0), POSIX_TRACE_ADD_EVENTSET);
	ok(!event_next(trid, &ev), "[xsh_events.17] FILTER, when filtered");
	event_put(a, 1);
	event_put(b, 2);
	ok(event_next(trid, &ev) && ev.info.posix_event_id == b &&
	   !event_next(trid, &ev), "[set_filter.12] the filter holds");
	change(trid, set, POSIX_TRACE_SUB_EVENTSET);
	ok(next_change(trid, set_of(POSIX_TRACE_FILTER, a), set_of(a, 0)),
	   "[set_filter.4] FILTER of the change that lets it through");
	change(trid, empty, POSIX_TRACE_SET_EVENTSET);
	ok(next_change(trid, set_of(a, 0), empty), "[set_filter.4] to empty");
}

static void bounds(trace_id_t trid)
{
	trace_event_set_t all;
	struct event ev;

	posix_trace_eventset_fill(&all, POSIX_TRACE_ALL_EVENTS);
	change(trid, all, POSIX_TRACE_SET_EVENTSET);
	ok(next_change(trid, empty, all) && !event_next(trid, &ev),
	   "[set_filter.4] FILTER of the change that filters everything");
	posix_trace_stop(trid);
	posix_trace_start(trid);
	event_put(a, 1);
	event_put(POSIX_TRACE_UNNAMED_USEREVENT, 1);
	ok(!event_next(trid, &ev), "[xsh_events.17] with all filtered nothing "
	   "is recorded");
	change(trid, set_of(POSIX_TRACE_STOP, 0), POSIX_TRACE_SET_EVENTSET);
	while (event_next(trid, &ev))
		;
	posix_trace_stop(trid);
	posix_trace_start(trid);
	ok(event_next(trid, &ev) &&
	   ev.info.posix_event_id == POSIX_TRACE_START &&
	   !event_next(trid, &ev), "[xsh_events.17] STOP filtered, START not");
}

int main(void)
{
	trace_id_t trid;
	struct event ev;

	plan(55);
	posix_trace_eventset_empty(&empty);
	a = event_id("a");
	b = event_id("b");
	c = event_id("c");
	trid = stream_make(0, NULL);
	ok(is_filter(trid, empty), "[create.11] [set_filter.3] empty at first");
	all_ways(trid, "before the start");
	stream_start(trid);
	ok(event_next(trid, &ev) &&
	   ev.info.posix_event_id == POSIX_TRACE_START,
	   "[set_filter.2] before the start nothing is recorded");
	{
		trace_event_set_t want = set_of(b, 0);

		ok(ev.size == sizeof(want) &&
		   !memcmp(ev.set, &want, sizeof(want)),
		   "[xsh_events.2] START has the filter");
	}
	all_ways(trid, "running");
	ok(its_changes(trid, set_of(b, 0)),
	   "[set_filter.4] [xsh_events.6] FILTER for each");
	ok(!event_next(trid, &ev), "and nothing else");
	stream_stop(trid);
	while (event_next(trid, &ev))
		;
	all_ways(trid, "stopped");
	ok(!event_next(trid, &ev), "[set_filter.4] stopped: not recorded");
	stream_start(trid);
	while (event_next(trid, &ev))
		;
	filter_of_filter(trid);
	bounds(trid);
	stream_end(trid);

	trid = stream_make(0, stream_attr(65536, 64, POSIX_TRACE_UNTIL_FULL));
	stream_start(trid);
	for (unsigned long i = 0; i < 20000; i++)
		event_put(a, i);
	all_ways(trid, "full");
	is_int(status_of(trid).posix_stream_full_status, POSIX_TRACE_FULL,
	       "[set_filter.8] it is still full");
	stream_end(trid);
	return done();
}
