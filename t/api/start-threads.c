/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_stop: while threads record, no event is earlier than its START
 * or later than its STOP.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <sched.h>

#define NR_THREADS 4
#define NR_ROUNDS 200

static trace_event_id_t id;
static _Atomic int finish, ready, nr_put = 1;

static void *record(void *arg)
{
	ready++;
	while (!finish) {
		for (int i = 0; i < 100; i++)
			event_put(id, (unsigned long)(size_t)arg);
		nr_put++;
		usleep(50);
	}
	return NULL;
}

/* Events read outside of START ... STOP. */
static int outside(trace_id_t trid, int *inside, int *rounds)
{
	struct event ev;
	int running = 0, n = 0;

	while (event_next(trid, &ev)) {
		if (ev.info.posix_event_id == POSIX_TRACE_START)
			running = 1;
		else if (ev.info.posix_event_id == POSIX_TRACE_STOP)
			running = 0;
		*rounds += ev.info.posix_event_id == POSIX_TRACE_STOP;
		if (ev.info.posix_event_id != id)
			continue;
		*inside += running;
		n += !running;
	}
	return n;
}

int main(void)
{
	pthread_t thread[NR_THREADS];
	int nr, wrong = 0, inside = 0, rounds = 0;
	trace_id_t trid;

	plan(3);
	id = event_id("an event");
	trid = stream_make(0, stream_attr(8 << 20, 64,
					  POSIX_TRACE_UNTIL_FULL));
	stream_only_user(trid);
	for (size_t i = 0; i < NR_THREADS; i++)
		pthread_create(&thread[i], NULL, record, (void *)i);
	while (ready < NR_THREADS)
		sched_yield();
	for (int i = 0; i < NR_ROUNDS; i++) {
		/* Until somebody got in between. */
		nr = i % 4 ? 0 : nr_put;
		stream_start(trid);
		while (nr && nr_put == nr)
			sched_yield();
		stream_stop(trid);
		wrong += outside(trid, &inside, &rounds);
	}
	finish = 1;
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(thread[i], NULL);
	wrong += outside(trid, &inside, &rounds);
	is_int(wrong, 0, "[stop.8] [xsh_events.15] no event outside");
	is_int(rounds, NR_ROUNDS, "[stop.2] every STOP");
	ok(inside > 0, "%d events inside", inside);
	stream_end(trid);
	return done();
}
