/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: is recorded in each running stream that traces the caller
 * and does not filter it, cut to that stream's size, and in no other; without
 * any it has no effect.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <string.h>

enum { PLAIN, SMALL, WITHOUT_A, WITHOUT_BOTH, SUSPENDED, STOPPED, LOOPS, NR };

static trace_event_id_t a, b;
static trace_id_t trid[NR];

static void filter(trace_id_t stream, int with_a, int with_b)
{
	trace_event_set_t set;

	posix_trace_eventset_empty(&set);
	if (with_a)
		posix_trace_eventset_add(a, &set);
	if (with_b)
		posix_trace_eventset_add(b, &set);
	posix_trace_set_filter(stream, &set, POSIX_TRACE_ADD_EVENTSET);
}

static void make(int i, size_t max_data, int policy)
{
	trid[i] = stream_make(0, stream_attr(0, max_data, policy));
	stream_only_user(trid[i]);
	if (i != SUSPENDED)
		stream_start(trid[i]);
}

/* What a stream has of a and b as one number, and whether all is right. */
static int contents(trace_id_t stream, size_t kept, int *wrong)
{
	struct event ev;
	int n = 0;

	while (event_next(stream, &ev)) {
		if (ev.info.posix_event_id < a)
			continue;
		n += ev.info.posix_event_id == a ? 1 : 100;
		*wrong += ev.size != kept || memcmp(ev.data, "data", kept) ||
			  ev.info.posix_truncation_status !=
				  (kept < 4 ? POSIX_TRACE_TRUNCATED_RECORD :
					      POSIX_TRACE_NOT_TRUNCATED);
	}
	return n;
}

/* Another controller, of this process. */
static int controller(struct proc *self, void *arg)
{
	trace_id_t other = stream_make(getppid(), NULL);
	int n;

	(void)arg;
	stream_start(other);
	proc_turn(self);
	n = event_count(other, a);
	stream_end(other);
	return n == 2 ? 0 : 1;
}

static void record(void)
{
	posix_trace_event(a, "data", 4);
	posix_trace_event(a, "data", 4);
	posix_trace_event(b, "data", 4);
}

int main(void)
{
	static const int want[NR] = {102, 102, 100, 0, 0, 0, 102};
	static const char *const what[NR] = {
		"[event.2] recorded",
		"[event.2] [event.4] recorded and cut",
		"[event.7] one of them filtered",
		"[event.7] both filtered",
		"[event.6] never started",
		"[event.6] stopped",
		"[event.2] recorded in a stream that loops",
	};
	struct proc p;
	int wrong = 0;

	plan(2 + NR + 7);
	a = event_id("a");
	b = event_id("b");
	errno = 77;
	record();
	is_int(errno, 77, "[event.5] [event.8] without a stream");
	make(PLAIN, 0, POSIX_TRACE_UNTIL_FULL);
	make(SMALL, 2, POSIX_TRACE_UNTIL_FULL);
	make(WITHOUT_A, 0, 0);
	filter(trid[WITHOUT_A], 1, 0);
	make(WITHOUT_BOTH, 0, 0);
	filter(trid[WITHOUT_BOTH], 1, 1);
	make(SUSPENDED, 0, 0);
	make(STOPPED, 0, 0);
	stream_stop(trid[STOPPED]);
	make(LOOPS, 0, POSIX_TRACE_LOOP);
	proc_start(&p, controller, NULL);
	proc_await(&p);
	errno = 77;
	record();
	is_int(errno, 77, "[event.8] errno");
	for (int i = 0; i < NR; i++)
		is_int(contents(trid[i], i == SMALL ? 2 : 4, &wrong), want[i],
		       "%s", what[i]);
	is_int(wrong, 0, "[event.3] [event.4] all as it should be");
	proc_tell(&p);
	is_int(proc_wait(&p), 0, "[event.11] another controller's");
	stream_start(trid[SUSPENDED]);
	stream_start(trid[STOPPED]);
	filter(trid[PLAIN], 0, 1);
	record();
	is_int(contents(trid[SUSPENDED], 4, &wrong), 102,
	       "[event.6] started since");
	is_int(contents(trid[STOPPED], 4, &wrong), 102,
	       "[event.6] started again");
	is_int(contents(trid[PLAIN], 4, &wrong), 2, "[event.7] filtered since");
	for (int i = 0; i < NR; i++)
		if (i != LOOPS)
			stream_end(trid[i]);
	contents(trid[LOOPS], 4, &wrong);
	record();
	is_int(contents(trid[LOOPS], 4, &wrong), 102,
	       "[event.1] the last stream goes on");
	stream_end(trid[LOOPS]);
	errno = 77;
	record();
	is_int(errno, 77, "[event.5] without any again");
	return done();
}
