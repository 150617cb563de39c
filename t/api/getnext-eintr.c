/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_getnext_event, _timedgetnext_event: EINTR if a handler was run
 * meanwhile; the stream is as it was.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

static _Atomic int caught;
static _Atomic int finished;

static void handler(int sig)
{
	(void)sig;
	caught++;
}

static void *kill_it(void *arg)
{
	pthread_t target = *(pthread_t *)arg;
	pid_t tid = getpid();	/* it is the main thread */

	thread_await_sleep(tid);
	/* It may just be between two sleeps: then that is no interruption. */
	while (!finished) {
		pthread_kill(target, SIGUSR1);
		thread_await_sleep(tid);
	}
	return NULL;
}

static long nr_sleeps(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

/* A signal between two sleeps interrupts none: there are few between. */
static void sleeps_are_long(trace_id_t trid)
{
	struct timespec late;
	struct event ev;
	long before;
	int none, err;

	clock_gettime(CLOCK_REALTIME, &late);
	late.tv_sec += 1;
	before = nr_sleeps();
	err = posix_trace_timedgetnext_event(trid, &ev.info, ev.data,
					     sizeof(ev.data), &ev.size, &none,
					     &late);
	ok(err == ETIMEDOUT && nr_sleeps() - before < 20,
	   "[getnext_event.22] a second is few sleeps: %ld",
	   nr_sleeps() - before);
}

int main(void)
{
	struct sigaction action = { .sa_handler = handler };
	pthread_t self = pthread_self(), thread;
	trace_event_id_t id = event_id("an event");
	struct timespec late;
	struct event ev;
	trace_id_t trid;
	int none;

	plan(5);
	sigaction(SIGUSR1, &action, NULL);
	trid = stream_make(0, NULL);
	stream_start(trid);
	event_find(trid, POSIX_TRACE_START, &ev);
	while (event_next(trid, &ev))
		;
	pthread_create(&thread, NULL, kill_it, &self);
	/* thread:start is an event. */
	do {
		none = posix_trace_getnext_event(trid, &ev.info, ev.data,
						 sizeof(ev.data), &ev.size,
						 &none);
	} while (none == 0);
	finished = 1;
	is_int(none, EINTR, "[getnext_event.22] getnext");
	pthread_join(thread, NULL);

	finished = 0;
	clock_gettime(CLOCK_REALTIME, &late);
	late.tv_sec += 20;
	pthread_create(&thread, NULL, kill_it, &self);
	do {
		none = posix_trace_timedgetnext_event(
			trid, &ev.info, ev.data, sizeof(ev.data), &ev.size,
			&none, &late);
	} while (none == 0);
	finished = 1;
	is_int(none, EINTR, "[getnext_event.22] timedgetnext");
	pthread_join(thread, NULL);
	ok(caught > 0, "by the handler");
	event_put(id, 9);
	ok(event_find(trid, id, &ev) && ev.word == 9, "the stream goes on");
	while (event_next(trid, &ev))
		;
	sleeps_are_long(trid);
	stream_end(trid);
	return done();
}
