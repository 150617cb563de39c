/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: siglongjmp out of a handler that interrupted it, many
 * times, leaves the stream usable: later events are recorded and read.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#define NR_JUMPS 4000
#define NOINLINE __attribute__((noinline, noclone))

static trace_event_id_t id, last_id;
static sigjmp_buf jump;
static _Atomic int finished, jumps;
static _Atomic unsigned long progress;

static void handler(int sig)
{
	(void)sig;
	jumps++;
	siglongjmp(jump, 1);
}

static void *storm(void *arg)
{
	pthread_t target = *(pthread_t *)arg;

	unsigned long last = 0;

	while (!finished) {
		pthread_kill(target, SIGUSR1);
		/* The thread gets on, too, to another place each time. */
		while (!finished && progress < last + last % 7 + 1)
			sched_yield();
		last = progress;
	}
	return NULL;
}

/* Deeper than the frames that were left, each time a little more or less. */
static NOINLINE void deeper(int levels)
{
	char data[64];

	memset(data, levels, sizeof(data));
	progress++;
	posix_trace_event(id, data, 40);
	if (levels > 1)
		deeper(levels - 1);
	__asm__ volatile("" : : "r"(data) : "memory");
}

static struct timespec begin;

static int late(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec -
		       begin.tv_nsec >
	       400000000L;
}

static NOINLINE void record_and_jump(int shallow, int jumps_wanted)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigsetjmp(jump, 1);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	/* On one processor it takes a time slice each. */
	while (jumps < jumps_wanted && !late())
		deeper(shallow ? 0 : 5);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static NOINLINE int still_works(trace_id_t trid, int deep)
{
	struct event ev;
	int n = 0;

	for (unsigned long i = 0; i < 200; i++) {
		event_put(last_id, i);
		if (deep)
			deeper(3);
	}
	while (n < 200 && event_find(trid, last_id, &ev) &&
	       ev.word == (unsigned long)n)
		n++;
	return n;
}

static void run(int policy, int shallow, int deep_after)
{
	pthread_t self = pthread_self(), thread;
	trace_id_t trid;

	trid = stream_run(0, stream_attr(100000, 64, policy));
	finished = 0;
	jumps = 0;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	pthread_create(&thread, NULL, storm, &self);
	if (policy == POSIX_TRACE_LOOP) {
		record_and_jump(shallow, NR_JUMPS);
	} else {
		for (int i = 0; i < 50; i++) {
			record_and_jump(shallow, i * NR_JUMPS / 50);
			event_count(trid, id);
		}
	}
	finished = 1;
	pthread_join(thread, NULL);
	event_count(trid, id);
	is_int(still_works(trid, deep_after), 200,
	       "policy %d, left %s, recording on %s", policy,
	       shallow ? "shallow" : "deep", deep_after ? "deep" : "shallow");
	stream_end(trid);
}

int main(void)
{
	struct sigaction action = { .sa_handler = handler };
	sigset_t set;

	plan(6);
	id = event_id("an event");
	last_id = event_id("afterwards");
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	sigaction(SIGUSR1, &action, NULL);
	run(POSIX_TRACE_LOOP, 0, 0);
	run(POSIX_TRACE_LOOP, 1, 0);
	run(POSIX_TRACE_LOOP, 1, 1);
	run(POSIX_TRACE_UNTIL_FULL, 0, 0);
	run(POSIX_TRACE_UNTIL_FULL, 1, 0);
	run(POSIX_TRACE_UNTIL_FULL, 1, 1);
	return done();
}
