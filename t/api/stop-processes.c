/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_stop of a stream that several inherited processes record into:
 * when it has returned nothing more is recorded, none is later than STOP; after
 * the next start all of them record again; a filter holds for all of them.
 */
#include "t/lib/proc.h"
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <sched.h>

#define NR_PROCESSES 3
#define ROUNDS 8

/* How many each has put, and the end. */
static struct shared {
	_Atomic unsigned long put[NR_PROCESSES];
	_Atomic int end;
} *shared;

static trace_event_id_t id;

static int record(struct proc *self, void *arg)
{
	unsigned int which = *(unsigned int *)arg;

	(void)self;
	for (unsigned long i = 0; !shared->end; i++) {
		story_put(id, which, i);
		shared->put[which] = i + 1;
	}
	return 0;
}

/* Until each of them has been at it again. */
static void let_run(void)
{
	for (int i = 0; i < NR_PROCESSES; i++) {
		unsigned long from = shared->put[i];

		while (shared->put[i] < from + 20)
			sched_yield();
	}
}

int main(void)
{
	int late = 0, more = 0, no_stop = 0, seen[NR_PROCESSES] = { 0 };
	unsigned int which[NR_PROCESSES];
	struct proc p[NR_PROCESSES];
	trace_event_set_t set;
	struct story story;
	trace_id_t trid;
	struct event ev;

	plan(5);
	id = event_id("an event");
	shared = proc_shared();
	trid = stream_make(
		0, attr_inherit(stream_attr(256 << 10, 64, POSIX_TRACE_LOOP)));
	stream_only_user(trid);
	for (unsigned int i = 0; i < NR_PROCESSES; i++) {
		which[i] = i;
		proc_start(&p[i], record, &which[i]);
	}
	posix_trace_eventset_empty(&set);
	posix_trace_eventset_add(id, &set);
	for (int i = 0; i < ROUNDS; i++) {
		stream_start(trid);
		let_run();
		stream_stop(trid);
		story_read(trid, id, &story);
		no_stop += story.last.info.posix_event_id != POSIX_TRACE_STOP;
		for (int n = 0; n < NR_PROCESSES; n++) {
			const struct story_writer *writer = &story.writer[n];

			/* Not in each: a busy one may have overwritten it. */
			seen[n] |= writer->nr != 0;
			late += writer->nr &&
				time_cmp(&writer->time,
					 &story.last.info.posix_timestamp) > 0;
		}
		let_run();
		more += event_next(trid, &ev);
	}
	is_int(no_stop, 0, "[stop.2] STOP is the last");
	is_int(late, 0, "[stop.8] none is later than STOP");
	is_int(more, 0, "[stop.8] nothing more is recorded");
	is_int(seen[0] + seen[1] + seen[2], NR_PROCESSES,
	       "[start.1] each process records after a start");
	posix_trace_set_filter(trid, &set, POSIX_TRACE_ADD_EVENTSET);
	stream_start(trid);
	let_run();
	story_read(trid, id, &story);
	is_int(story.users, 0,
	       "[set_filter.12] a filter holds for all of them");
	shared->end = 1;
	for (int i = 0; i < NR_PROCESSES; i++)
		proc_wait(&p[i]);
	stream_end(trid);
	return done();
}
