/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_getnext_event: events that threads and processes generate in
 * turn are read in that order, from a stream and from a log, with times that
 * never go back.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <time.h>

#define NR 2000

static trace_event_id_t id;
static _Atomic unsigned long *turn;

/* Two microseconds: what is nearer to each other may be told in any order. */
static void let_time_pass(void)
{
	struct timespec from, now;

	clock_gettime(CLOCK_MONOTONIC, &from);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while (now.tv_sec == from.tv_sec && now.tv_nsec < from.tv_nsec + 2000);
}

/* One side takes the even turns, the other the odd ones. */
static void take_turns(unsigned long first)
{
	for (unsigned long i = first; i < NR; i += 2) {
		while (*turn != i)
			sched_yield();
		let_time_pass();
		event_put(id, i);
		*turn = i + 1;
	}
}

static void *odd_thread(void *arg)
{
	take_turns(1);
	return arg;
}

static int odd_process(struct proc *self, void *arg)
{
	(void)self;
	(void)arg;
	take_turns(1);
	return 0;
}

static void record_threads(void)
{
	pthread_t thread;

	*turn = 0;
	pthread_create(&thread, NULL, odd_thread, NULL);
	take_turns(0);
	pthread_join(thread, NULL);
}

static void record_processes(void)
{
	struct proc p;

	*turn = 0;
	proc_start(&p, odd_process, NULL);
	take_turns(0);
	proc_wait(&p);
}

static void check(trace_id_t trid, const char *what)
{
	int disorder = 0, back = 0, strange = 0;
	struct timespec last = {0, 0};
	unsigned long n = 0;
	struct event ev;

	while (event_find(trid, id, &ev)) {
		const struct timespec *t = &ev.info.posix_timestamp;

		disorder += ev.word != n++;
		back += t->tv_sec < last.tv_sec ||
			(t->tv_sec == last.tv_sec && t->tv_nsec < last.tv_nsec);
		strange += t->tv_nsec < 0 || t->tv_nsec >= 1000000000;
		last = *t;
	}
	is_int((long long)n, NR, "[getnext_event.1] all of %s", what);
	is_int(disorder, 0, "[getnext_event.17] their order");
	is_int(back, 0, "[event_info.6] their times do not go back");
	is_int(strange, 0, "and are times");
}

static void run(void (*record)(void), const char *what)
{
	trace_attr_t *attr = stream_attr(1 << 20, 8, 0);
	int fd = file_make();
	trace_id_t trid, logged;

	trid = stream_make(0, attr_inherit(attr));
	logged = stream_make_log(0, attr, fd);
	stream_only_user(trid);
	stream_only_user(logged);
	stream_start(trid);
	stream_start(logged);
	record();
	check(trid, what);
	stream_end(trid);
	stream_end(logged);
	trid = log_open(fd);
	check(trid, what);
	posix_trace_close(trid);
}

int main(void)
{
	plan(16);
	turn = proc_shared();
	id = event_id("an event");
	run(record_threads, "two threads");
	run(record_processes, "two processes");
	return done();
}
