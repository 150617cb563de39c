/* SPDX-License-Identifier: MIT */
/*
 * XSH 2.11.2: START and STOP enclose what is recorded, also by their times;
 * they are events of the calling process, also if that is not the traced one;
 * their data are correct.
 */
#include "t/lib/clock.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"
#include "t/lib/target.h"

#include <string.h>

static void times(trace_event_id_t id)
{
	struct event start, ev, stop;
	long long t[6];
	trace_id_t trid = stream_make(0, NULL);

	stream_only_user(trid);
	t[0] = clock_later();
	stream_start(trid);
	t[1] = clock_ns();
	t[2] = clock_later();
	event_put(id, 1);
	t[3] = clock_ns();
	t[4] = clock_later();
	stream_stop(trid);
	t[5] = clock_ns();
	clock_later();
	event_put(id, 2);
	ok(event_next(trid, &start) && event_next(trid, &ev) &&
	   event_next(trid, &stop) &&
	   start.info.posix_event_id == POSIX_TRACE_START &&
	   ev.info.posix_event_id == id &&
	   stop.info.posix_event_id == POSIX_TRACE_STOP,
	   "[xsh_events.1] [xsh_events.3] START, event, STOP");
	ok(event_between(&start, t[0], t[1]),
	   "[xsh_events.15] START at the start");
	ok(event_between(&ev, t[2], t[3]), "the event when it was");
	ok(event_between(&stop, t[4], t[5]),
	   "[xsh_events.15] STOP at the stop");
	ok(!event_next(trid, &ev), "[stop.8] none after it");
	ok(start.info.posix_pid == getpid() &&
	   pthread_equal(start.info.posix_thread_id, pthread_self()) &&
	   stop.info.posix_pid == getpid() &&
	   pthread_equal(stop.info.posix_thread_id, pthread_self()),
	   "[start.2] [stop.2] by the caller");
	ok(start.info.posix_truncation_status == POSIX_TRACE_NOT_TRUNCATED &&
	   stop.info.posix_truncation_status == POSIX_TRACE_NOT_TRUNCATED,
	   "not truncated");
	is_int((long long)start.size, sizeof(trace_event_set_t),
	       "[xsh_events.2] a set");
	ok(stop.size == sizeof(int) && stop.number == 0,
	   "[xsh_events.4] an int, 0");
	stream_end(trid);
}

static void another_process(trace_event_id_t id)
{
	struct event start, ev, stop;
	trace_id_t trid;
	struct proc p;

	target_start(&p, 1);
	trid = stream_make(p.pid, NULL);
	stream_only_user(trid);
	proc_turn(&p);
	stream_start(trid);
	proc_turn(&p);
	stream_stop(trid);
	proc_turn(&p);
	ok(event_next(trid, &start) &&
	   start.info.posix_event_id == POSIX_TRACE_START &&
	   start.info.posix_pid == getpid(),
	   "[start.2] START of another process is ours");
	ok(event_next(trid, &ev) && ev.info.posix_event_id == id &&
	   ev.info.posix_pid == p.pid, "its event");
	ok(event_next(trid, &stop) &&
	   stop.info.posix_event_id == POSIX_TRACE_STOP &&
	   stop.info.posix_pid == getpid(), "[stop.2] STOP, too");
	ok(!event_next(trid, &ev), "[xsh_events.15] no other");
	proc_wait(&p);
	stream_end(trid);
}

/* The data of START and FILTER are whole, however small max-data-size is. */
static void small_data(void)
{
	trace_event_set_t filter;
	trace_id_t trid;
	struct event ev;

	trid = stream_make(0, stream_attr(65536, 1, 0));
	stream_only_user(trid);
	posix_trace_get_filter(trid, &filter);
	stream_start(trid);
	ok(event_next(trid, &ev) && ev.size == sizeof(filter) &&
	   !memcmp(ev.set, &filter, sizeof(filter)),
	   "[xsh_events.2] START whole with max-data-size 1");
	stream_stop(trid);
	ok(event_next(trid, &ev) && ev.size == sizeof(int) && ev.number == 0,
	   "[xsh_events.4] STOP whole");
	stream_end(trid);
}

int main(void)
{
	plan(15);
	times(event_id("an event"));
	another_process(event_id("an event"));
	small_data();
	return done();
}
