/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_attr_getmaxusereventsize: no event is lost either of fifty
 * processes that all live and have recorded already when they record the rest,
 * nor of hundreds that live one after the other, if the maximum sizes of all
 * sum up to stream-min-size.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#define MAX_AT_ONCE 50

static trace_event_id_t id;
static int nr_at_once, nr_in_turn;

struct job {
	int events;
	size_t size;
};

/* The first event before the others are told to go on. */
static int record(struct proc *self, void *arg)
{
	static const unsigned char data[4096];
	const struct job *job = arg;

	posix_trace_event(id, data, job->size);
	proc_turn(self);
	for (int i = 1; i < job->events; i++)
		posix_trace_event(id, data, job->size);
	proc_tell(self);
	/* Still there when the others record. */
	proc_await(self);
	return 0;
}

static trace_id_t make(int nr, const struct job *job, int policy)
{
	return stream_run_for(nr * job->events, job->size, policy);
}

static int at_once(struct job *job, int policy)
{
	trace_id_t trid = make(nr_at_once, job, policy);
	struct proc p[MAX_AT_ONCE];
	int n;

	for (int i = 0; i < nr_at_once; i++)
		proc_start(&p[i], record, job);
	for (int turn = 0; turn < 2; turn++) {
		for (int i = 0; i < nr_at_once; i++)
			proc_await(&p[i]);
		for (int i = 0; i < nr_at_once; i++)
			proc_tell(&p[i]);
	}
	for (int i = 0; i < nr_at_once; i++)
		proc_wait(&p[i]);
	n = event_count(trid, id);
	stream_end(trid);
	return n;
}

static int in_turn(struct job *job, int policy)
{
	trace_id_t trid = make(nr_in_turn, job, policy);
	struct proc p;
	int n;

	for (int i = 0; i < nr_in_turn; i++) {
		proc_start(&p, record, job);
		proc_tell(&p);
		proc_tell(&p);
		proc_wait(&p);
	}
	n = event_count(trid, id);
	stream_end(trid);
	return n;
}

static void try_job(int events, size_t size, int policy)
{
	struct job job = { events, size };

	is_int(at_once(&job, policy), nr_at_once * events,
	       "[attr_getmaxusereventsize.5] %d at once, %d of %zu, policy %d",
	       nr_at_once, events, size, policy);
	is_int(in_turn(&job, policy), nr_in_turn * events,
	       "[attr_getmaxusereventsize.6] %d in turn, %d of %zu, policy %d",
	       nr_in_turn, events, size, policy);
}

int main(void)
{
	const int policies[] = { POSIX_TRACE_LOOP, POSIX_TRACE_UNTIL_FULL };

	plan(16);
	id = event_id("an event");
	nr_at_once = fewer(MAX_AT_ONCE);
	nr_in_turn = fewer(200);
	for (int i = 0; i < 2; i++) {
		try_job(1, 0, policies[i]);
		try_job(3, 8, policies[i]);
		try_job(40, 100, policies[i]);
		try_job(2, 4000, policies[i]);
	}
	return done();
}
