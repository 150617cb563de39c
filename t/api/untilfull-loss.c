/* SPDX-License-Identifier: MIT */
/*
 * POSIX_TRACE_UNTIL_FULL: a stream that was full tells STOP, OVERFLOW, RESUME
 * and START, in this order and with times that never go back, but for those
 * that are filtered; RESUME has START's time, and OVERFLOW that of the first
 * event lost.
 */
#include "t/lib/clock.h"
#include "t/lib/tap.h"

#include <string.h>

static trace_event_id_t id;

/* Fills it, then records some more; returns the time in between. */
static long long fill(trace_id_t trid)
{
	struct posix_trace_status_info status;
	long long before;
	unsigned long i = 0;

	do {
		before = clock_ns();
		for (int n = 0; n < 10; n++)
			event_put(id, i++);
		posix_trace_get_status(trid, &status);
	} while (status.posix_stream_full_status != POSIX_TRACE_FULL);
	for (int n = 0; n < 1000; n++)
		event_put(id, i++);
	return before;
}

/* What comes after the events, a letter each. */
static void read_marks(trace_id_t trid, char *marks, long long *time)
{
	struct event ev;
	int n = 0;

	while (event_next(trid, &ev)) {
		trace_event_id_t type = ev.info.posix_event_id;

		if (type == id)
			n = 0;
		else if (n < 8)
			marks[n++] = type == POSIX_TRACE_STOP	  ? 's' :
				     type == POSIX_TRACE_OVERFLOW ? 'o' :
				     type == POSIX_TRACE_RESUME	  ? 'r' :
				     type == POSIX_TRACE_START	  ? 'S' :
								    '?';
		time[n] = event_ns(&ev);
	}
	marks[n] = '\0';
}

static int exact, descending;

static void try_filter(trace_event_id_t without, const char *want)
{
	trace_id_t trid = stream_make(
		0, stream_attr(65536, 64, POSIX_TRACE_UNTIL_FULL));
	long long time[10] = { 0 }, before;
	trace_event_set_t set;
	char marks[10];

	stream_begin(trid);
	posix_trace_eventset_empty(&set);
	if (without)
		posix_trace_eventset_add(without, &set);
	posix_trace_set_filter(trid, &set, POSIX_TRACE_ADD_EVENTSET);
	before = fill(trid);
	read_marks(trid, marks, time);
	is_str(marks, want, "what is told without type %u", (unsigned)without);
	if (!without)
		/* A reading of our own clock is no finer than this. */
		exact = before - 1000000 < time[2] && time[2] < clock_ns() &&
			time[3] == time[4];
	for (size_t i = 1; i < strlen(marks); i++)
		descending += time[i + 1] < time[i];
	event_put(id, 77);
	stream_end(trid);
}

int main(void)
{
	plan(7);
	id = event_id("an event");
	try_filter(0, "sorS");
	try_filter(POSIX_TRACE_STOP, "orS");
	try_filter(POSIX_TRACE_OVERFLOW, "srS");
	try_filter(POSIX_TRACE_RESUME, "soS");
	try_filter(POSIX_TRACE_START, "so");
	ok(exact, "OVERFLOW and RESUME have the right times");
	is_int(descending, 0, "in order of time");
	return done();
}
