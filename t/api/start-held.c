/* SPDX-License-Identifier: MIT */
/*
 * A thread is held before each single instruction of posix_trace_event while
 * the stream is stopped, or becomes full, and after it while it is started or
 * goes on: its event is told once at most, and never between STOP and START.
 */
#include "t/lib/proc.h"
#include "t/lib/step.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <pthread.h>
#include <semaphore.h>

static trace_id_t trid;
static trace_event_id_t id, filler;
static unsigned long number;
static long hold_at;
static void (*stop)(void), (*restart)(void);
static sem_t held, go_on;
static int between, unlike;

static void record(void)
{
	event_put(id, number);
}

static int at(long n)
{
	if (n < hold_at)
		return 1;
	sem_post(&held);
	while (sem_wait(&go_on) != 0)
		;
	return n == hold_at;
}

/* In which state does what is read come? */
static int stopped, nr_events, nr_told;

static void look(const struct event *ev)
{
	if (ev->info.posix_event_id == POSIX_TRACE_STOP)
		stopped = 1;
	if (ev->info.posix_event_id == POSIX_TRACE_START)
		stopped = 0;
	if (ev->info.posix_event_id != id)
		return;
	nr_events += ev->word == number ? 1 : 100;
	if (stopped && between++ < 5)
		diag("held after %ld: told while it was stopped", hold_at);
}

static void read_all(void)
{
	struct event ev;

	while (event_next(trid, &ev))
		look(&ev);
}

static void do_stop(void)
{
	stream_stop(trid);
}

static void do_start(void)
{
	stream_start(trid);
}

static void fill(void)
{
	struct posix_trace_status_info status;

	do {
		for (int i = 0; i < 100; i++)
			event_put(filler, 0);
		posix_trace_get_status(trid, &status);
	} while (status.posix_stream_full_status != POSIX_TRACE_FULL);
}

static void await_held(void)
{
	while (sem_wait(&held) != 0)
		;
}

static void *stepper(void *arg)
{
	/* It goes the fast path. */
	event_put(filler, 0);
	event_put(filler, 0);
	*(long *)arg = step_through(record, at);
	sem_post(&held);
	sem_post(&held);
	return NULL;
}

/* 0: the call was over before. */
static int one(long n)
{
	pthread_t thread;
	long steps;

	hold_at = n;
	number++;
	nr_events = 0;
	while (sem_trywait(&held) == 0 || sem_trywait(&go_on) == 0)
		;
	pthread_create(&thread, NULL, stepper, &steps);
	await_held();
	stop();
	sem_post(&go_on);
	await_held();
	restart();
	sem_post(&go_on);
	pthread_join(thread, NULL);
	read_all();
	if (nr_events > 1 && unlike++ < 5)
		diag("held after %ld: %d events", n, nr_events);
	nr_told += nr_events;
	return steps > n;
}

static void test(const char *name, int policy, void (*first)(void),
		 void (*second)(void))
{
	long n = 1;

	stop = first;
	restart = second;
	between = unlike = stopped = nr_told = 0;
	trid = stream_run(0, stream_attr(16 << 10, 64, policy));
	while (one(n))
		n++;
	stream_end(trid);
	ok(n > 20 && nr_told > 20, "%s: held %ld times", name, n - 1);
	is_int(between, 0, "%s: [stop.8] nothing is recorded in between", name);
	is_int(unlike, 0, "%s: [event.9] the event is recorded once", name);
}

int main(void)
{
	step_needed();
	no_sanitizer();
	plan(6);
	sem_init(&held, 0, 0);
	sem_init(&go_on, 0, 0);
	id = event_id("an event");
	filler = event_id("filler");
	test("stop and start", POSIX_TRACE_LOOP, do_stop, do_start);
	test("full", POSIX_TRACE_UNTIL_FULL, fill, read_all);
	return done();
}
