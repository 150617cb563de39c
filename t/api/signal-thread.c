/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: a handler that interrupts a thread's first event, in its
 * first chunk and first slot, records like any other.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>

#define NR_THREADS 500

static trace_event_id_t of_thread, of_handler;
static _Atomic int handled;
static _Atomic int stage;

static void handler(int sig)
{
	(void)sig;
	handled++;
	event_put(of_handler, 1);
}

static void *record(void *arg)
{
	(void)arg;
	stage = 1;
	event_put(of_thread, 1);
	stage = 2;
	return NULL;
}

int main(void)
{
	struct sigaction action = { .sa_handler = handler };
	int threads = 0, handlers = 0;
	pthread_t thread;
	struct event ev;
	trace_id_t trid;

	plan(2);
	of_thread = event_id("of a thread");
	of_handler = event_id("of the handler");
	trid = stream_run(0, stream_attr(4 << 20, 8, POSIX_TRACE_UNTIL_FULL));
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < NR_THREADS; i++) {
		stage = 0;
		pthread_create(&thread, NULL, record, NULL);
		for (int n = 0; stage != 2 && n < 50; n++)
			pthread_kill(thread, SIGUSR1);
		pthread_join(thread, NULL);
	}
	while (event_next(trid, &ev)) {
		threads += ev.info.posix_event_id == of_thread;
		handlers += ev.info.posix_event_id == of_handler;
	}
	is_int(threads, NR_THREADS, "all of the threads");
	is_int(handlers, handled,
	       "[event.9] all of the handlers");
	stream_end(trid);
	return done();
}
