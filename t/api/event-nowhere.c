/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: recorded in every stream that runs, traces the caller and
 * does not filter the type, in no other, and nowhere without a stream; also
 * when a signal handler calls it.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

static trace_event_id_t id, other;

static void handler(int signo)
{
	event_put(id, (unsigned long)signo);
}

/* The numbers of the events of type id there are to read, as digits. */
static long read_all(trace_id_t trid)
{
	struct event ev;
	long digits = 0;

	while (event_find(trid, id, &ev))
		digits = digits * 10 + (long)ev.word;
	return digits;
}

static int holds(trace_id_t trid, struct posix_trace_status_info *was)
{
	struct posix_trace_status_info is;

	posix_trace_get_status(trid, &is);
	return !memcmp(&is, was, sizeof(is));
}

static void filter(trace_id_t trid, trace_event_id_t type)
{
	trace_event_set_t set;

	posix_trace_eventset_empty(&set);
	posix_trace_eventset_add(type, &set);
	posix_trace_set_filter(trid, &set, POSIX_TRACE_SET_EVENTSET);
}

static int child(struct proc *self, void *arg)
{
	(void)arg;
	event_put(id, 3);
	proc_turn(self);
	return 0;
}

int main(void)
{
	trace_id_t all, one, filtered, suspended, late;
	struct posix_trace_status_info was;
	struct sigaction action = { .sa_handler = handler };
	struct event ev;
	struct proc p;

	plan(16);
	errno = 12345;
	posix_trace_event(POSIX_TRACE_UNNAMED_USEREVENT, "1", 1);
	posix_trace_event(300, NULL, 1);
	posix_trace_event(0, "1", (size_t)-1);
	is_int(errno, 12345, "[user_event.5] no effect without a stream");
	id = event_id("an event");
	other = event_id("another");
	event_put(id, 1);

	all = stream_make(0, NULL);
	one = stream_make(0, NULL);
	filtered = stream_make(0, NULL);
	suspended = stream_make(0, NULL);
	posix_trace_get_status(suspended, &was);
	filter(filtered, id);
	filter(one, other);
	event_put(id, 2);
	is_int(read_all(all), 0,
	       "[user_event.5] [user_event.6] nothing from before");
	ok(!event_next(suspended, &ev) && holds(suspended, &was),
	   "[user_event.6] not started: no effect");

	stream_start(all);
	stream_start(one);
	stream_start(filtered);
	event_put(id, 3);
	event_put(other, 4);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	late = stream_make(0, NULL);
	stream_start(late);
	event_put(id, 5);
	stream_stop(one);
	event_put(id, 6);
	is_int(read_all(one), 300 + 10 * SIGUSR1 + 5,
	       "[user_event.1] [user_event.6] until it was stopped");
	is_int(read_all(all), 3000 + 100 * SIGUSR1 + 56,
	       "[user_event.2] "
	       "[user_event.8] in all streams, the handler's, too");
	is_int(read_all(late), 56,
	       "[user_event.2] in the last one what came later");
	is_int(read_all(filtered), 0, "[user_event.7] filtered: no effect");
	ok(!event_next(suspended, &ev) && holds(suspended, &was),
	   "[user_event.6] never started: no effect");

	/* The filter of one stream is not that of another. */
	stream_start(one);
	event_put(id, 7);
	event_put(other, 8);
	ok(event_find(one, id, &ev) && !event_find(one, other, &ev),
	   "[user_event.7] each stream has its own filter");
	ok(event_find(all, other, &ev), "[user_event.7] of this one");
	ok(event_find(filtered, other, &ev), "[user_event.7] and of that");

	/* What is filtered does not take room. */
	posix_trace_get_status(filtered, &was);
	for (int i = 0; i < 200000; i++)
		posix_trace_event(id, &was, sizeof(was));
	ok(holds(filtered, &was),
	   "[user_event.7] filtered events fill nothing");
	posix_trace_event(other, "x", 1);
	ok(event_find(filtered, other, &ev) && ev.size == 1,
	   "[user_event.7] the next event is there");

	stream_end(all);
	stream_end(late);
	stream_end(one);
	stream_end(filtered);
	stream_end(suspended);
	event_put(id, 9);

	/* A stream of the child traces the child alone. */
	proc_start(&p, child, NULL);
	proc_await(&p);
	all = stream_make(p.pid, NULL);
	stream_start(all);
	event_put(id, 1);
	ok(!event_find(all, id, &ev),
	   "[user_event.5] another's stream: no effect");
	stream_end(all);
	proc_tell(&p);
	is_int(proc_wait(&p), 0, "the child is content");
	is_int(errno, 12345, "errno is left alone");
	return done();
}
