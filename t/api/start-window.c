/* SPDX-License-Identifier: MIT */
/*
 * XSH 2.11.2: START and STOP bound what is recorded, in time too; they are
 * told by who called, also of another process; their data are what they say.
 */
#include "t/lib/proc.h"
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <string.h>
#include <time.h>

#define SLACK_NS 1000000

static struct timespec now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t;
}

static long long ns(struct timespec t)
{
	return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int between(const struct event *ev, struct timespec from,
		   struct timespec to)
{
	long long t = ns(ev->info.posix_timestamp);

	return t >= ns(from) - SLACK_NS && t <= ns(to) + SLACK_NS;
}

/* Until the clock has gone on by more than the slack. */
static struct timespec later(void)
{
	struct timespec from = now(), t;

	do
		t = now();
	while (ns(t) < ns(from) + 3 * SLACK_NS);
	return t;
}

static void times(trace_event_id_t id)
{
	struct event start, ev, stop;
	struct timespec t[6];
	trace_id_t trid = stream_make(0, NULL);

	stream_only_user(trid);
	t[0] = later();
	stream_start(trid);
	t[1] = now();
	t[2] = later();
	event_put(id, 1);
	t[3] = now();
	t[4] = later();
	stream_stop(trid);
	t[5] = now();
	later();
	event_put(id, 2);
	ok(event_next(trid, &start) && event_next(trid, &ev) &&
	   event_next(trid, &stop) &&
	   start.info.posix_event_id == POSIX_TRACE_START &&
	   ev.info.posix_event_id == id &&
	   stop.info.posix_event_id == POSIX_TRACE_STOP,
	   "[xsh_events.1] [xsh_events.3] START, event, STOP");
	ok(between(&start, t[0], t[1]), "[xsh_events.15] START at the start");
	ok(between(&ev, t[2], t[3]), "the event when it was");
	ok(between(&stop, t[4], t[5]), "[xsh_events.15] STOP at the stop");
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

static int target(struct proc *self, void *arg)
{
	trace_event_id_t id = event_id("an event");

	(void)arg;
	do
		event_put(id, 1);
	while (proc_send(self, "", 1) && proc_await(self));
	return 0;
}

static void another_process(trace_event_id_t id)
{
	struct event start, ev, stop;
	trace_id_t trid;
	struct proc p;

	proc_start(&p, target, NULL);
	proc_await(&p);
	trid = stream_make(p.pid, NULL);
	stream_only_user(trid);
	proc_tell(&p);
	proc_await(&p);
	stream_start(trid);
	proc_tell(&p);
	proc_await(&p);
	stream_stop(trid);
	proc_tell(&p);
	proc_await(&p);
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

static void names(void)
{
	static const struct {
		trace_event_id_t id;
		const char *name;
	} type[] = {
		{ POSIX_TRACE_ERROR, "posix_trace_error" },
		{ POSIX_TRACE_START, "posix_trace_start" },
		{ POSIX_TRACE_STOP, "posix_trace_stop" },
		{ POSIX_TRACE_FILTER, "posix_trace_filter" },
		{ POSIX_TRACE_OVERFLOW, "posix_trace_overflow" },
		{ POSIX_TRACE_RESUME, "posix_trace_resume" },
		{ POSIX_TRACE_FLUSH_START, "posix_trace_flush_start" },
		{ POSIX_TRACE_FLUSH_STOP, "posix_trace_flush_stop" },
		{ POSIX_TRACE_UNNAMED_USEREVENT,
		  "posix_trace_unnamed_userevent" },
	};
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_id_t trid = stream_make(0, NULL);

	for (size_t i = 0; i < sizeof(type) / sizeof(type[0]); i++) {
		posix_trace_eventid_get_name(trid, type[i].id, name);
		is_str(name, type[i].name,
		       i < 8 ? "[xsh_events.14] %s" : "[xsh_events.16] %s",
		       type[i].name);
	}
	stream_end(trid);
}

int main(void)
{
	plan(24);
	times(event_id("an event"));
	another_process(event_id("an event"));
	small_data();
	names();
	return done();
}
