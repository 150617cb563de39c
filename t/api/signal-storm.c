/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: is async-signal-safe: under a storm of nested signals from
 * another thread, with chunks so small that handlers close them over records
 * they interrupted, nothing is lost, torn or doubled.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <sched.h>
#include <signal.h>
#include <string.h>

#define NR_SIGNALS 3

static trace_event_id_t id;
static unsigned long count[NR_SIGNALS + 1], next_of[NR_SIGNALS + 1];
static _Atomic int finished;
static _Atomic unsigned long progress, entered;
static volatile int depth, deepest;

/* Level 0 is the thread's own. */
static void put(unsigned long level)
{
	unsigned long data[12], n = count[level]++;

	for (unsigned long i = 0; i < 12; i++)
		data[i] = level << 60 | n;
	posix_trace_event(id, data, 8 + n % 12 * 8);
}

static void handler(int sig)
{
	depth++;
	entered++;
	if (depth > deepest)
		deepest = depth;
	for (int i = 0; i < 60; i++)
		put((unsigned long)(sig - SIGRTMIN) + 1);
	depth--;
}

static void *storm(void *arg)
{
	pthread_t target = *(pthread_t *)arg;

	unsigned long last = 0;

	while (!finished) {
		for (int i = 0; i < NR_SIGNALS; i++) {
			unsigned long before = entered;

			pthread_kill(target, SIGRTMIN + i);
			/* The next one comes while this one is handled. */
			for (int n = 0;
			     !finished && entered == before && n < 1000000; n++)
				sched_yield();
		}
		/* The thread gets on, too. */
		while (!finished && progress < last + 20)
			sched_yield();
		last = progress;
	}
	return NULL;
}

static int torn(const struct event *ev)
{
	const unsigned long *data = (const void *)ev->data;

	for (size_t i = 0; i < ev->size / 8; i++)
		if (data[i] != data[0])
			return 1;
	return ev->size != 8 + (data[0] & 0xfffffff) % 12 * 8;
}

static int bad, out_of_order;

static void drain(trace_id_t trid)
{
	struct event ev;

	while (event_next(trid, &ev)) {
		if (ev.info.posix_event_id != id) {
			bad += ev.info.posix_event_id != POSIX_TRACE_START;
			continue;
		}
		bad += torn(&ev);
		out_of_order += (ev.word & 0xfffffffffffffff) !=
				next_of[ev.word >> 60 & 3]++;
	}
}

int main(void)
{
	struct sigaction action = {.sa_handler = handler};
	pthread_t self = pthread_self(), thread;
	unsigned long nr = (unsigned long)fewer(60000);
	trace_id_t trid;
	sigset_t all;

	plan(3 + NR_SIGNALS);
	id = event_id("an event");
	trid = stream_run(0, stream_attr(200000, 96, POSIX_TRACE_UNTIL_FULL));
	for (int i = 0; i < NR_SIGNALS; i++)
		sigaction(SIGRTMIN + i, &action, NULL);
	pthread_create(&thread, NULL, storm, &self);
	sigfillset(&all);
	for (unsigned long i = 0; i < nr; i++) {
		put(0);
		progress = i;
		if (i % 100)
			continue;
		/* There is room for what comes until the next time. */
		pthread_sigmask(SIG_BLOCK, &all, NULL);
		drain(trid);
		pthread_sigmask(SIG_UNBLOCK, &all, NULL);
	}
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	finished = 1;
	pthread_join(thread, NULL);
	drain(trid);
	is_int(bad, 0, "none torn, no STOP");
	is_int(out_of_order, 0, "[event.9] none lost, doubled or out of order");
	for (int i = 0; i <= NR_SIGNALS; i++)
		is_int((long long)next_of[i], (long long)count[i],
		       "all of level %d", i);
	diag("nested %d deep", deepest);
	stream_end(trid);
	return done();
}
