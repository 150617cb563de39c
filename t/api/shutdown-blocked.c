/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_shutdown: threads blocked in getnext or timedgetnext return
 * EINVAL, all of them, from a running and from a suspended stream; unread
 * events are no obstacle.
 */
#include "t/lib/reader.h"
#include "t/lib/tap.h"

#include <errno.h>

#define NR_READERS 4

static trace_id_t trid;

static void check(int running)
{
	struct reader r[NR_READERS];
	struct event ev;
	int n = 0;

	trid = stream_make(0, NULL);
	stream_only_user(trid);
	if (running) {
		stream_start(trid);
		event_next(trid, &ev);
	}
	for (int i = 0; i < NR_READERS; i++)
		reader_begin(&r[i], trid, i % 2);
	is_int(posix_trace_shutdown(trid), 0, "[shutdown.2] shutdown, %s",
	       running ? "running" : "suspended");
	for (int i = 0; i < NR_READERS; i++)
		n += reader_end(&r[i]) == EINVAL;
	/* A running stream had a STOP to read for one of them. */
	ok(n >= NR_READERS - running, "[shutdown.5] blocked readers: EINVAL");
	is_int(posix_trace_shutdown(trid), EINVAL,
	       "[shutdown.3] the trid is no more");
}

int main(void)
{
	plan(8);
	check(0);
	check(1);
	trid = stream_make(0, NULL);
	stream_start(trid);
	for (unsigned long i = 0; i < 5000; i++)
		event_put(POSIX_TRACE_UNNAMED_USEREVENT, i);
	is_int(posix_trace_shutdown(trid), 0, "[shutdown.4] unread events");
	posix_trace_event(POSIX_TRACE_UNNAMED_USEREVENT, NULL, 0);
	ok(1, "[shutdown.1] and recording goes nowhere");
	return done();
}
