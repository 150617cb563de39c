/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_clear: while four threads and two inherited processes record,
 * while others flush, start and stop: what is there afterwards is newer than
 * the call, without a gap, in order; the stream goes on being sound.
 */
#include "t/lib/logrun.h"
#include "t/lib/proc.h"
#include "t/lib/tap.h"

#include <sched.h>
#include <time.h>

#define NR_THREADS 4
#define NR_PROCESSES 2
#define ROUNDS 15

static trace_event_id_t id;
static trace_id_t trid;
static _Atomic int finished, errors;

/* Each event is its writer, and the time before it was recorded. */
static unsigned long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (unsigned long)(t.tv_sec * 1000000000 + t.tv_nsec) &
	       ((1UL << 48) - 1);
}

static void record_while(unsigned int which, const _Atomic int *end)
{
	unsigned long last = 0, number;

	for (int i = 0; !*end; i++) {
		number = now();
		if (number <= last)
			number = last + 1;
		story_put(id, which, number);
		last = number;
		/* Or valgrind hardly lets the others run. */
		if (i % 16 == 0)
			sched_yield();
	}
}

static void *record(void *arg)
{
	record_while(*(unsigned int *)arg, &finished);
	return NULL;
}

static void *flush(void *arg)
{
	(void)arg;
	while (!finished) {
		errors += posix_trace_flush(trid) != 0;
		sched_yield();
	}
	return NULL;
}

static _Atomic int *shared_end;

static int process(struct proc *self, void *arg)
{
	(void)self;
	record_while(*(unsigned int *)arg, shared_end);
	return 0;
}

/* The first one of a writer may have been on its way. */
static long old_events(const struct story *story, unsigned long since)
{
	long n = 0;

	for (int i = 0; i < STORY_WRITERS; i++)
		n += story->writer[i].nr > 1 && story->writer[i].second < since;
	return n;
}

/* Six tests. */
static void check(int policy, int log_policy, const char *name)
{
	trace_attr_t *attr = story_attr(256 << 10, policy, 1 << 20, log_policy);
	unsigned int which[NR_THREADS + NR_PROCESSES];
	pthread_t thread[NR_THREADS], flusher;
	struct proc p[NR_PROCESSES];
	unsigned long since = 0;
	int fd = file_make();
	struct story story;

	posix_trace_attr_setinherited(attr, POSIX_TRACE_INHERITED);
	if (log_policy)
		posix_trace_create_withlog(0, attr, fd, &trid);
	else
		trid = stream_run(0, attr);
	finished = errors = 0;
	*shared_end = 0;
	for (unsigned int i = 0; i < NR_THREADS + NR_PROCESSES; i++)
		which[i] = i;
	for (int i = 0; i < NR_PROCESSES; i++)
		proc_start(&p[i], process, &which[NR_THREADS + i]);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_create(&thread[i], NULL, record, &which[i]);
	if (log_policy)
		pthread_create(&flusher, NULL, flush, NULL);
	for (int i = 0; i < ROUNDS; i++) {
		since = now();
		errors += posix_trace_clear(trid) != 0;
		/* It may have been full, and so suspended. */
		errors += posix_trace_start(trid) != 0;
		sched_yield();
	}
	stream_only_user(trid);
	/* So that there is something to see. */
	for (unsigned long i = 0; i < 100; i++)
		story_put(id, 7, now());
	finished = 1;
	*shared_end = 1;
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(thread[i], NULL);
	if (log_policy)
		pthread_join(flusher, NULL);
	for (int i = 0; i < NR_PROCESSES; i++)
		proc_wait(&p[i]);
	is_int(errors, 0, "[clear.1] %s: no error", name);
	if (!log_policy)
		story_read(trid, id, &story);
	is_int(posix_trace_shutdown(trid), 0, "shutdown");
	if (log_policy)
		is_int(story_log(fd, id, &story), 0, "[clear.11] a log");
	else
		ok(1, "no log");
	is_int(old_events(&story, since), 0,
	       "[clear.6] nothing older than the last clear");
	is_int(story_disorder(&story), 0, "[clear.4] in order, none twice");
	ok(story.users > 0, "[clear.4] and it runs: %ld events", story.users);
	close(fd);
}

int main(void)
{
	plan(42);
	id = event_id("an event");
	shared_end = proc_shared();
	check(POSIX_TRACE_LOOP, 0, "LOOP");
	check(POSIX_TRACE_UNTIL_FULL, 0, "UNTIL_FULL");
	check(POSIX_TRACE_LOOP, POSIX_TRACE_LOOP, "LOOP, log LOOP");
	check(POSIX_TRACE_LOOP, POSIX_TRACE_UNTIL_FULL, "LOOP, log UNTIL_FULL");
	check(POSIX_TRACE_FLUSH, POSIX_TRACE_LOOP, "FLUSH, log LOOP");
	check(POSIX_TRACE_FLUSH, POSIX_TRACE_UNTIL_FULL,
	      "FLUSH, log UNTIL_FULL");
	check(POSIX_TRACE_FLUSH, POSIX_TRACE_APPEND, "FLUSH, log APPEND");
	return done();
}
