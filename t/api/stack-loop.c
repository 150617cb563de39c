/* SPDX-License-Identifier: MIT */
/*
 * Read while two threads overwrite them in a LOOP stream, stacks are whole and
 * are those of their events.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <sched.h>

#define EVENTS 3000
#define NOINLINE __attribute__((noinline, noclone))

static trace_event_id_t id;
static _Atomic int ends;

static NOINLINE void record(unsigned long number)
{
	event_put(id, number);
	__asm__ volatile("");
}

/* One more frame for odd numbers. */
static NOINLINE void further(unsigned long number)
{
	record(number);
	__asm__ volatile("");
}

static NOINLINE void *thread(void *arg)
{
	for (unsigned long n = 0; !ends; n++)
		if (n % 2)
			further(n);
		else
			record(n);
	return arg;
}

static int good(trace_id_t trid, const struct event *ev)
{
	const size_t all[] = { (size_t)record, (size_t)further, (size_t)thread,
			       0 };
	void *frames[4];
	size_t nr = 0;

	return posix_trace_get_stack_np(trid, frames, 4, &nr) == 0 && nr >= 3 &&
	       frames[0] == ev->info.posix_prog_address &&
	       addr_in(frames[0], (size_t)record, all) &&
	       addr_in(frames[1],
		       ev->word % 2 ? (size_t)further : (size_t)thread, all);
}

/* Waits until they have overwritten some again. */
static void overwritten(trace_id_t trid)
{
	struct posix_trace_status_info status;

	do {
		sched_yield();
		posix_trace_get_status(trid, &status);
	} while (status.posix_stream_overrun_status != POSIX_TRACE_OVERRUN);
}

int main(void)
{
	trace_attr_t *attr = stream_attr(16 << 10, 64, POSIX_TRACE_LOOP);
	int nr = 0, bad = 0;
	pthread_t other[2];
	struct event ev;
	trace_id_t trid;

	plan(2);
	id = event_id("an event");
	posix_trace_attr_setstackdepth_np(attr, 4);
	trid = stream_make(0, attr);
	stream_start(trid);
	for (int i = 0; i < 2; i++)
		pthread_create(&other[i], NULL, thread, NULL);
	while (nr < EVENTS) {
		if (nr % 300 == 0)
			overwritten(trid);
		if (!event_find(trid, id, &ev))
			continue;
		nr++;
		bad += !good(trid, &ev);
	}
	ends = 1;
	for (int i = 0; i < 2; i++)
		pthread_join(other[i], NULL);
	ok(nr >= EVENTS, "events were read");
	is_int(bad, 0, "with their stacks");
	stream_end(trid);
	return done();
}
