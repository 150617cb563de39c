/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_set_filter from several threads: no change is lost, each FILTER
 * begins with the set that the one before ended with, the last one is the
 * filter; and start and stop from several threads alternate.
 */
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <sched.h>
#include <string.h>

#define NR_THREADS 4
#define NR_CHANGES 500

static trace_event_id_t ids[NR_THREADS];
static trace_id_t trid;
static _Atomic int errors;

static void *change(void *arg)
{
	int i = *(int *)arg;
	trace_event_set_t own;

	posix_trace_eventset_empty(&own);
	posix_trace_eventset_add(ids[i], &own);
	for (int n = 0; n < NR_CHANGES; n++) {
		trace_event_set_t got;
		int in, want = n % 2 == 0;

		errors += posix_trace_set_filter(
				  trid, &own,
				  want ? POSIX_TRACE_ADD_EVENTSET :
					 POSIX_TRACE_SUB_EVENTSET) != 0;
		posix_trace_get_filter(trid, &got);
		posix_trace_eventset_ismember(ids[i], &got, &in);
		/* Nobody else changes this member. */
		errors += (in != 0) != want;
		event_put(ids[i], (unsigned long)n);
	}
	return NULL;
}

static void *toggle(void *arg)
{
	(void)arg;
	for (int n = 0; n < NR_CHANGES; n++) {
		errors += posix_trace_stop(trid) != 0;
		errors += posix_trace_start(trid) != 0;
		if (n % 16 == 0)
			sched_yield();
	}
	return NULL;
}

static void run(void *(*fn)(void *arg))
{
	pthread_t thread[NR_THREADS];
	int index[NR_THREADS];

	for (int i = 0; i < NR_THREADS; i++) {
		index[i] = i;
		pthread_create(&thread[i], NULL, fn, &index[i]);
	}
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(thread[i], NULL);
}

static void changes(void)
{
	trace_event_set_t last;
	int broken = 0, n = 0, recorded = 0;
	struct event ev;

	posix_trace_get_filter(trid, &last);
	run(change);
	is_int(errors, 0,
	       "[set_filter.6] [set_filter.7] [threads.3] no change is lost");
	while (event_next(trid, &ev)) {
		for (int i = 0; i < NR_THREADS; i++)
			/* Of two put, the one after SUB. */
			recorded += ev.info.posix_event_id == ids[i] &&
				    ev.word % 2 == 0;
		if (ev.info.posix_event_id != POSIX_TRACE_FILTER)
			continue;
		broken += memcmp(&ev.set[0], &last, sizeof(last)) != 0;
		last = ev.set[1];
		n++;
	}
	is_int(n, NR_THREADS * NR_CHANGES, "[set_filter.4] one FILTER for each");
	is_int(broken, 0, "[xsh_events.6] old is what new was before");
	is_int(recorded, 0, "[set_filter.12] none while it was filtered");
	{
		trace_event_set_t now;

		posix_trace_get_filter(trid, &now);
		ok(!memcmp(&now, &last, sizeof(now)),
		   "[get_filter.1] the last one is the filter");
	}
}

static void toggles(void)
{
	int running = 0, broken = 0, starts = 0;
	struct timespec last = { 0, 0 };
	struct event ev;
	int back = 0;

	posix_trace_clear(trid);
	posix_trace_stop(trid);
	while (event_next(trid, &ev))
		;
	errors = 0;
	posix_trace_start(trid);
	run(toggle);
	is_int(errors, 0, "[start.1] [stop.1] no error");
	while (event_next(trid, &ev)) {
		if (ev.info.posix_event_id == POSIX_TRACE_START) {
			broken += running;
			running = 1;
			starts++;
		} else if (ev.info.posix_event_id == POSIX_TRACE_STOP) {
			broken += !running;
			running = 0;
		} else {
			continue;
		}
		back += time_cmp(&ev.info.posix_timestamp, &last) < 0;
		last = ev.info.posix_timestamp;
	}
	is_int(broken, 0, "[xsh_events.15] START and STOP alternate: %d",
	       starts);
	is_int(back, 0, "[xsh_events.15] their time does not go back");
	is_int(running, status_of(trid).posix_stream_status ==
				POSIX_TRACE_RUNNING,
	       "[start.1] the last one is the status");
}

int main(void)
{
	char name[] = "event 0";

	plan(9);
	for (int i = 0; i < NR_THREADS; i++) {
		name[6] = (char)('0' + i);
		ids[i] = event_id(name);
	}
	trid = stream_run(0, stream_attr(8 << 20, 0, 0));
	/* stream_only_user() lets FILTER not through. */
	{
		trace_event_set_t set;

		posix_trace_eventset_empty(&set);
		posix_trace_eventset_add(POSIX_TRACE_FILTER, &set);
		posix_trace_set_filter(trid, &set, POSIX_TRACE_SUB_EVENTSET);
		while (event_next(trid, &(struct event){ .size = 0 }))
			;
	}
	changes();
	toggles();
	stream_end(trid);
	return done();
}
