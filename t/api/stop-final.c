/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_stop: when it has returned and the stream was read until nothing
 * was there, nothing more comes, though a thread was interrupted anywhere while
 * it recorded and then goes on; STOP is the last event, START the next.
 */
#include "t/lib/clock.h"
#include "t/lib/tap.h"

#include <sched.h>
#include <signal.h>
#include <unistd.h>

#define NR_ROUNDS 80

static trace_event_id_t id;
static _Atomic int finished;
static _Atomic unsigned long progress, limit;
static int inside[2], outside[2];

static void *record(void *arg)
{
	(void)arg;
	while (!finished) {
		if (progress >= limit) {
			sched_yield();
			continue;
		}
		event_put(id, progress);
		progress++;
	}
	return NULL;
}

/* The recorder stays where it is until it is told to go on. */
static void handler(int sig)
{
	char c = 0;

	(void)sig;
	if (write(inside[1], &c, 1) != 1 || read(outside[0], &c, 1) != 1)
		finished = 1;
}

static void let_it_record(unsigned long nr, unsigned long await)
{
	unsigned long before = progress;

	limit = before + nr;
	while (progress < before + await && !finished)
		sched_yield();
}

static int after, not_last, backwards, in_between;

static void one_round(trace_id_t trid, pthread_t thread)
{
	trace_event_id_t last = 0;
	static long long last_time;
	struct event ev;
	char c = 0;

	let_it_record(30000, 1);
	pthread_kill(thread, SIGUSR1);
	if (read(inside[0], &c, 1) != 1)
		finished = 1;
	stream_stop(trid);
	while (event_next(trid, &ev)) {
		last = ev.info.posix_event_id;
		backwards += event_ns(&ev) < last_time;
		last_time = event_ns(&ev);
	}
	not_last += last != POSIX_TRACE_STOP;
	if (write(outside[1], &c, 1) != 1)
		finished = 1;
	let_it_record(3, 3);
	while (event_next(trid, &ev))
		after++;
	/* Nor does the next START have anything before it. */
	stream_start(trid);
	while (!event_next(trid, &ev))
		;
	in_between += ev.info.posix_event_id != POSIX_TRACE_START;
}

int main(void)
{
	struct sigaction action = { .sa_handler = handler };
	pthread_t thread;
	trace_id_t trid;

	plan(4);
	id = event_id("an event");
	trid = stream_run(0, stream_attr(0, 0, POSIX_TRACE_LOOP));
	sigaction(SIGUSR1, &action, NULL);
	if (pipe(inside) || pipe(outside))
		return 1;
	pthread_create(&thread, NULL, record, NULL);
	for (int i = 0; i < NR_ROUNDS && !finished; i++)
		one_round(trid, thread);
	finished = 1;
	pthread_join(thread, NULL);
	is_int(not_last, 0, "STOP is the last event");
	is_int(backwards, 0, "time never goes back");
	is_int(after, 0, "nothing comes after it");
	is_int(in_between, 0, "nor before the next START");
	stream_end(trid);
	return done();
}
