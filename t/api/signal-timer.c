/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: is async-signal-safe: with a handler that records while
 * its thread does, every event arrives once, the order of each is kept and
 * the thread's time never goes back.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <time.h>

static trace_event_id_t of_main, of_handler;
static unsigned long handled;

static void handler(int sig)
{
	(void)sig;
	event_put(of_handler, handled);
	handled++;
}

static unsigned long next, next_handled;
static int order, back;

static void read_all(trace_id_t trid)
{
	static struct timespec last;
	struct event ev;

	while (event_next(trid, &ev)) {
		struct timespec t = ev.info.posix_timestamp;

		if (ev.info.posix_event_id == of_main)
			order += ev.word != next++;
		else if (ev.info.posix_event_id == of_handler)
			order += ev.word != next_handled++;
		back += t.tv_sec < last.tv_sec ||
			(t.tv_sec == last.tv_sec && t.tv_nsec < last.tv_nsec);
		last = t;
	}
}

int main(void)
{
	struct sigaction action = { .sa_handler = handler };
	struct sigevent notify = { .sigev_notify = SIGEV_SIGNAL,
				   .sigev_signo = SIGUSR1 };
	struct itimerspec often = { { 0, 100000 }, { 0, 100000 } };
	struct itimerspec never = { { 0, 0 }, { 0, 0 } };
	unsigned long nr = (unsigned long)fewer(1000000);
	trace_id_t trid;
	timer_t timer;

	plan(5);
	of_main = event_id("of main");
	of_handler = event_id("of the handler");
	trid = stream_run(0, stream_attr(8 << 20, 8, POSIX_TRACE_UNTIL_FULL));
	sigaction(SIGUSR1, &action, NULL);
	timer_create(CLOCK_MONOTONIC, &notify, &timer);
	for (unsigned long i = 0; i < nr;) {
		timer_settime(timer, 0, &often, NULL);
		do
			event_put(of_main, i);
		while (++i % 100000);
		timer_settime(timer, 0, &never, NULL);
		read_all(trid);
	}
	timer_delete(timer);
	is_int((long long)next, (long long)nr,
	       "[event.9] all of the thread");
	is_int((long long)next_handled, (long long)handled,
	       "all of the handler");
	ok(handled > 0, "%lu of them", handled);
	is_int(order, 0, "in order");
	is_int(back, 0, "time does not go back");
	stream_end(trid);
	return done();
}
