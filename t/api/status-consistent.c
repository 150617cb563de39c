/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_get_status: while threads fill, read, start and stop a stream,
 * each status is one that its policy can have.
 */
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <sched.h>

static trace_event_id_t id;
static trace_id_t trid;
static _Atomic int finished;

static void *record(void *arg)
{
	unsigned long *which = arg;

	for (unsigned long i = 0; !finished; i++) {
		story_put(id, (unsigned int)*which, i);
		/* Or valgrind hardly lets the others run. */
		if (i % 16 == 0)
			sched_yield();
	}
	return NULL;
}

static void *drain(void *arg)
{
	struct event ev;

	(void)arg;
	while (!finished)
		if (!event_next(trid, &ev))
			sched_yield();
	return NULL;
}

static void *toggle(void *arg)
{
	(void)arg;
	while (!finished) {
		posix_trace_stop(trid);
		posix_trace_start(trid);
		sched_yield();
	}
	return NULL;
}

static int one_of(int value, int a, int b)
{
	return value == a || value == b;
}

static int impossible(const struct posix_trace_status_info *s, int policy)
{
	return !one_of(s->posix_stream_status, POSIX_TRACE_RUNNING,
		       POSIX_TRACE_SUSPENDED) ||
	       !one_of(s->posix_stream_full_status, POSIX_TRACE_FULL,
		       POSIX_TRACE_NOT_FULL) ||
	       !one_of(s->posix_stream_overrun_status, POSIX_TRACE_OVERRUN,
		       POSIX_TRACE_NO_OVERRUN) ||
	       !one_of(s->posix_stream_flush_status, POSIX_TRACE_FLUSHING,
		       POSIX_TRACE_NOT_FLUSHING) ||
	       s->posix_stream_flush_error ||
	       s->posix_log_overrun_status != POSIX_TRACE_NO_OVERRUN ||
	       s->posix_log_full_status != POSIX_TRACE_NOT_FULL ||
	       (policy != POSIX_TRACE_LOOP &&
		s->posix_stream_status == POSIX_TRACE_RUNNING &&
		s->posix_stream_full_status == POSIX_TRACE_FULL);
}

static void check(int policy, const char *name, int fd)
{
	void *(*const fn[])(void *) = { record, record, toggle, drain };
	trace_attr_t *attr = stream_attr(16384, 64, policy);
	unsigned long which[] = { 0, 1, 0, 0 };
	int nr = fd < 0 ? 4 : 3, n = 0, seen[2] = { 0, 0 };
	pthread_t thread[4];

	trid = fd < 0 ? stream_make(0, attr) : stream_make_log(0, attr, fd);
	finished = 0;
	for (int i = 0; i < nr; i++)
		pthread_create(&thread[i], NULL, fn[i], &which[i]);
	for (int i = 0; i < 5000; i++) {
		struct posix_trace_status_info status = status_of(trid);

		n += impossible(&status, policy);
		seen[status.posix_stream_status == POSIX_TRACE_RUNNING] = 1;
		if (i % 64 == 0)
			sched_yield();
	}
	finished = 1;
	for (int i = 0; i < nr; i++)
		pthread_join(thread[i], NULL);
	diag("%s: running %d, suspended %d", name, seen[1], seen[0]);
	is_int(n, 0, "[get_status.2] [xsh_status.3] [xsh_status.4] %s", name);
	stream_end(trid);
}

int main(void)
{
	plan(3);
	id = event_id("an event");
	check(POSIX_TRACE_LOOP, "LOOP", -1);
	check(POSIX_TRACE_UNTIL_FULL, "UNTIL_FULL", -1);
	check(POSIX_TRACE_FLUSH, "FLUSH", file_make());
	return done();
}
