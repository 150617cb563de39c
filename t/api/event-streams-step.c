/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event in several streams: a handler after each single instruction
 * of it records an event of its own.  In each stream both are there, once, and
 * time never goes back.
 */
#include "t/lib/step.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <stdbool.h>

#define NR_STREAMS 4

static trace_id_t trid[NR_STREAMS];
static trace_event_id_t id;
static unsigned long number;
/* After which instruction, and did it come so far? */
static long now;
static int hit;

static void record(void)
{
	event_put(id, number);
}

static int nest(long n)
{
	if (n != now)
		return 1;
	hit = 1;
	event_put(id, number + 1);
	return 0;
}

static bool is_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec :
					a->tv_nsec < b->tv_nsec;
}

/* Counts what is wrong in one. */
static void look(trace_id_t stream, int *lost, int *back)
{
	struct timespec last = {0};
	int seen[2] = {0};
	struct event ev;

	while (event_next(stream, &ev)) {
		if (ev.info.posix_event_id != id)
			continue;
		if (ev.word - number < 2)
			seen[ev.word - number]++;
		*back += is_before(&ev.info.posix_timestamp, &last);
		last = ev.info.posix_timestamp;
	}
	*lost += seen[0] != 1 || seen[1] != hit;
}

int main(void)
{
	int lost = 0, back = 0;

	step_needed();
	plan(3);
	posix_trace_eventid_open("in several", &id);
	for (int i = 0; i < NR_STREAMS; i++)
		trid[i] = stream_run(0, NULL);
	/* From here on it goes the fast path, if there is one. */
	for (int i = 0; i < 4; i++)
		event_put(id, 0);
	do {
		/* Late in a long one not after each. */
		now += 1 + now / 500;
		hit = 0;
		number += 2;
		step_through(record, nest);
		for (int i = 0; i < NR_STREAMS; i++)
			look(trid[i], &lost, &back);
	} while (hit);
	ok(now > 100, "after any of %ld instructions", now);
	is_int(lost, 0, "[event.9] in each stream both are there, once");
	is_int(back, 0, "in none does time go back");
	for (int i = 0; i < NR_STREAMS; i++)
		stream_end(trid[i]);
	return done();
}
