/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_shutdown: threads blocked in getnext or timedgetnext return
 * EINVAL, all of them, from a running and from a suspended stream; unread
 * events are no obstacle.
 */
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <time.h>

#define NR_READERS 4

static trace_id_t trid;
static _Atomic pid_t tid[NR_READERS];

static void *get(void *arg)
{
	static int result[NR_READERS];
	int i = *(int *)arg, none;
	struct timespec late;
	struct event ev;

	clock_gettime(CLOCK_REALTIME, &late);
	late.tv_sec += 60;
	tid[i] = gettid();
	result[i] = i % 2 ? posix_trace_timedgetnext_event(
				    trid, &ev.info, ev.data, sizeof(ev.data),
				    &ev.size, &none, &late) :
			    posix_trace_getnext_event(trid, &ev.info, ev.data,
						      sizeof(ev.data),
						      &ev.size, &none);
	return &result[i];
}

static void check(int running)
{
	pthread_t thread[NR_READERS];
	int index[NR_READERS], n = 0;
	struct event ev;
	void *result;

	trid = stream_make(0, NULL);
	stream_only_user(trid);
	if (running) {
		stream_start(trid);
		event_next(trid, &ev);
	}
	for (int i = 0; i < NR_READERS; i++) {
		tid[i] = 0;
		index[i] = i;
		pthread_create(&thread[i], NULL, get, &index[i]);
		while (!tid[i])
			sched_yield();
		thread_await_sleep(tid[i]);
	}
	is_int(posix_trace_shutdown(trid), 0, "[shutdown.2] shutdown, %s",
	       running ? "running" : "suspended");
	for (int i = 0; i < NR_READERS; i++) {
		pthread_join(thread[i], &result);
		n += *(int *)result == EINVAL;
	}
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
