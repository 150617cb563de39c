/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_attr_getmaxsystemeventsize: system events and user events of one
 * process and of its children are recorded without loss if their maximum sizes
 * sum up to stream-min-size; nothing is filtered here.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#define NR_CHILDREN 30
#define NR_STARTS 40

static trace_event_id_t id;

static int record(struct proc *self, void *arg)
{
	(void)arg;
	(void)self;
	for (unsigned long i = 0; i < 5; i++)
		event_put(id, i);
	return 0;
}

static void *record_here(void *arg)
{
	(void)arg;
	event_put(id, 7);
	return NULL;
}

/* All that there is to record; the numbers of events do not vary. */
static void act(trace_id_t trid)
{
	trace_event_set_t set;
	struct proc p[3];
	pthread_t thread;

	posix_trace_get_filter(trid, &set);
	for (int i = 0; i < NR_STARTS; i++) {
		stream_start(trid);
		posix_trace_set_filter(trid, &set, POSIX_TRACE_SET_EVENTSET);
		event_put(id, 1);
		stream_stop(trid);
	}
	stream_start(trid);
	for (int i = 0; i < NR_CHILDREN; i += 3) {
		for (int j = 0; j < 3; j++)
			proc_start(&p[j], record, NULL);
		for (int j = 0; j < 3; j++)
			proc_wait(&p[j]);
		pthread_create(&thread, NULL, record_here, NULL);
		pthread_join(thread, NULL);
	}
	stream_stop(trid);
}

static trace_id_t make(size_t size, size_t max_data, int policy)
{
	return stream_make(0,
			   attr_inherit(stream_attr(size, max_data, policy)));
}

struct counts {
	int user, system, odd;
};

/* Odd: what no complete record has. */
static struct counts count(trace_id_t trid)
{
	struct counts n = { 0, 0, 0 };
	trace_event_set_t sys;
	struct event ev;
	int is_system;

	posix_trace_eventset_fill(&sys, POSIX_TRACE_SYSTEM_EVENTS);
	while (event_next(trid, &ev)) {
		if (posix_trace_eventset_ismember(ev.info.posix_event_id, &sys,
						  &is_system))
			n.odd++;
		else if (is_system)
			n.system++;
		else
			n.user++;
		n.odd += ev.info.posix_event_id == POSIX_TRACE_OVERFLOW ||
			 ev.info.posix_event_id == POSIX_TRACE_RESUME;
	}
	return n;
}

static void try_policy(size_t max_data, int policy)
{
	struct counts want, got;
	size_t user, system;
	trace_attr_t attr;
	trace_id_t trid;

	trid = make(8 << 20, max_data, policy);
	act(trid);
	want = count(trid);
	stream_end(trid);
	posix_trace_attr_init(&attr);
	posix_trace_attr_setmaxdatasize(&attr, max_data);
	posix_trace_attr_getmaxusereventsize(&attr, 8, &user);
	posix_trace_attr_getmaxsystemeventsize(&attr, &system);
	trid = make((size_t)want.user * user + (size_t)want.system * system,
		    max_data, policy);
	act(trid);
	got = count(trid);
	stream_end(trid);
	is_int(got.user, NR_STARTS + 5 * NR_CHILDREN + NR_CHILDREN / 3,
	       "[attr_getmaxsystemeventsize.3] user events, policy %d", policy);
	is_int(got.system, want.system,
	       "[attr_getmaxsystemeventsize.2] system events");
	is_int(got.odd, 0, "and no other");
}

/* START, FILTER and STOP alone, in a stream for them alone. */
static void try_own(size_t max_data, int policy)
{
	trace_attr_t *attr = stream_attr(0, max_data, policy);
	trace_event_set_t set;
	trace_id_t trid;
	struct event ev;
	size_t system;
	int n = 0;

	posix_trace_attr_getmaxsystemeventsize(attr, &system);
	posix_trace_attr_setstreamsize(attr, 3 * NR_STARTS * system);
	trid = stream_make(0, attr);
	posix_trace_eventset_empty(&set);
	for (int i = 0; i < NR_STARTS; i++) {
		stream_start(trid);
		posix_trace_set_filter(trid, &set, POSIX_TRACE_SET_EVENTSET);
		stream_stop(trid);
	}
	while (event_next(trid, &ev))
		n++;
	is_int(n, 3 * NR_STARTS,
	       "[attr_getmaxsystemeventsize.2] START, FILTER, STOP, policy %d",
	       policy);
	stream_end(trid);
}

int main(void)
{
	plan(12);
	id = event_id("an event");
	try_policy(8, POSIX_TRACE_LOOP);
	try_policy(4096, POSIX_TRACE_UNTIL_FULL);
	try_policy(8, POSIX_TRACE_UNTIL_FULL);
	try_own(1, POSIX_TRACE_LOOP);
	try_own(1, POSIX_TRACE_UNTIL_FULL);
	try_own(4096, POSIX_TRACE_UNTIL_FULL);
	return done();
}
