/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_getnext_event, _timedgetnext_event: are cancellation points; a
 * thread cancelled in them leaves the stream usable.
 */
#include "t/lib/reader.h"
#include "t/lib/tap.h"

static trace_id_t trid;

static void *cancel_first(void *arg)
{
	struct event ev;
	int none;

	pthread_cancel(pthread_self());
	posix_trace_getnext_event(trid, &ev.info, ev.data, sizeof(ev.data),
				  &ev.size, &none);
	return arg;
}

static void cancel(int timed)
{
	void *result = NULL;
	struct reader r;

	reader_begin(&r, trid, timed);
	pthread_cancel(r.thread);
	pthread_join(r.thread, &result);
	ok(result == PTHREAD_CANCELED, "[getnext_event.25] %s, blocked",
	   timed ? "timed" : "not");
}

int main(void)
{
	trace_event_id_t id = event_id("an event");
	pthread_t thread;
	struct event ev;
	void *result;

	plan(6);
	trid = stream_make(0, NULL);
	stream_only_user(trid);
	cancel(0);
	cancel(1);
	stream_start(trid);
	event_put(id, 3);
	pthread_create(&thread, NULL, cancel_first, NULL);
	pthread_join(thread, &result);
	ok(result == PTHREAD_CANCELED,
	   "[getnext_event.25] with events there, pending before");
	ok(event_next(trid, &ev) && ev.info.posix_event_id ==
	   POSIX_TRACE_START, "nothing was read");
	ok(event_next(trid, &ev) && ev.word == 3, "all is there");
	is_int(posix_trace_shutdown(trid), 0, "and nobody holds the stream");
	return done();
}
