/* SPDX-License-Identifier: MIT */
/*
 * Three streams at once on four threads that run as they like, with events of
 * all sizes, into logs of policy LOOP, UNTIL_FULL and APPEND: the first has
 * the newest, the second all up to one time, the third everything.
 */
#include "t/lib/clock.h"
#include "t/lib/logrun.h"
#include "t/lib/tap.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define NR 12000UL
#define NR_THREADS 4
#define LOG_SIZE (1 << 19)

static trace_event_id_t id;
static trace_id_t trid[3];
static _Atomic int finished, errors;
/* Before each event of each thread. */
static struct timespec (*when)[NR];

static void *record(void *arg)
{
	unsigned int which = *(unsigned int *)arg;
	unsigned long data[100] = { 0 };

	for (unsigned long i = 0; i < NR; i++) {
		clock_gettime(CLOCK_REALTIME, &when[which][i]);
		data[0] = (unsigned long)which << 48 | i;
		posix_trace_event(id, data, 8 + (i * 131 + which) % 200);
	}
	return NULL;
}

static void *flush(void *arg)
{
	(void)arg;
	for (unsigned int i = 0; !finished; i++) {
		errors += posix_trace_flush(trid[i % 3]) != 0;
		sched_yield();
	}
	return NULL;
}

/* The newest: who has not his last one there was done before the first. */
static int not_newest(const struct story *story)
{
	long long from = event_ns(&story->resume);
	int n = 0, ends = 0;

	for (int i = 0; i < NR_THREADS; i++) {
		const struct story_writer *writer = &story->writer[i];

		ends += writer->nr && writer->last == NR - 1;
		if (writer->nr ? writer->last == NR - 1 :
				 ns_of(&when[i][NR - 1]) <=
					 from + CLOCK_SLACK_NS)
			continue;
		n++;
		diag("thread %d: %ld events, %lu to %lu; the last was %lld us "
		     "after the first of all", i, writer->nr, writer->first,
		     writer->last, (ns_of(&when[i][NR - 1]) - from) / 1000);
	}
	return n + !ends;
}

/* What is missing of a writer was recorded after all that is there. */
static int not_one_time(const struct story *story)
{
	long long to = 0;
	int n = 0;

	for (int i = 0; i < NR_THREADS; i++)
		if (story->writer[i].nr && ns_of(&story->writer[i].time) > to)
			to = ns_of(&story->writer[i].time);
	for (int i = 0; i < NR_THREADS; i++) {
		const struct story_writer *writer = &story->writer[i];
		/* This time is after the first one that is missing. */
		unsigned long next = (writer->nr ? writer->last + 1 : 0) + 1;

		n += writer->nr && writer->first != 0;
		if (next < NR && ns_of(&when[i][next]) < to - CLOCK_SLACK_NS) {
			n++;
			diag("thread %d: no %lu, %lld us before the end", i,
			     next - 1, (to - ns_of(&when[i][next])) / 1000);
		}
	}
	return n;
}

static int not_all(const struct story *story)
{
	int n = 0;

	for (int i = 0; i < NR_THREADS; i++)
		n += story->writer[i].nr != NR;
	return n;
}

int main(void)
{
	static const int policies[] = { POSIX_TRACE_LOOP,
					POSIX_TRACE_UNTIL_FULL,
					POSIX_TRACE_APPEND };
	unsigned int which[NR_THREADS];
	pthread_t thread[NR_THREADS], flusher;
	struct story story[3];
	int fd[3];

	plan(15);
	id = event_id("an event");
	when = calloc(NR_THREADS, sizeof(*when));
	for (int i = 0; i < 3; i++) {
		fd[i] = file_make();
		if (posix_trace_create_withlog(
			    0, story_attr(16 << 20, POSIX_TRACE_UNTIL_FULL,
					  LOG_SIZE, policies[i]),
			    fd[i], &trid[i]))
			return 1;
		stream_begin(trid[i]);
	}
	pthread_create(&flusher, NULL, flush, NULL);
	for (unsigned int i = 0; i < NR_THREADS; i++) {
		which[i] = i;
		pthread_create(&thread[i], NULL, record, &which[i]);
	}
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(thread[i], NULL);
	finished = 1;
	pthread_join(flusher, NULL);
	is_int(errors, 0, "[flush.1] no error");
	for (int i = 0; i < 3; i++)
		is_int(posix_trace_shutdown(trid[i]), 0, "shutdown");
	for (int i = 0; i < 3; i++) {
		is_int(story_log(fd[i], id, &story[i]), 0, "[create.23] a log");
		is_int(story_gaps(&story[i]) + story_disorder(&story[i]), 0,
		       "[logpolicy.2] [logpolicy.3] no gap, none twice: %ld",
		       story[i].users);
	}
	is_int(not_newest(&story[0]), 0, "[logpolicy.2] LOOP: the newest");
	ok(file_size(fd[0]) <= LOG_SIZE + LOGRUN_OVERHEAD,
	   "[logpolicy.9] LOOP: %ld bytes", file_size(fd[0]));
	is_int(not_one_time(&story[1]), 0,
	       "[logpolicy.3] UNTIL_FULL: all up to one time");
	ok(file_size(fd[1]) <= LOG_SIZE + LOGRUN_OVERHEAD,
	   "[logpolicy.9] UNTIL_FULL: %ld bytes", file_size(fd[1]));
	is_int(not_all(&story[2]), 0, "[logpolicy.6] APPEND: everything");
	return done();
}
