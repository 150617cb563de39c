/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_flush: while the stream runs, from four threads at once, with
 * four recording: each event is in the log once, FLUSH_STOP follows
 * FLUSH_START.
 */
#include "t/lib/story.h"
#include "t/lib/tap.h"

#define NR 20000UL
#define NR_THREADS 4

static trace_event_id_t id;
static trace_id_t trid;
static _Atomic int finished, errors;
static _Atomic long flushes;

static void *record(void *arg)
{
	for (unsigned long i = 0; i < NR; i++)
		story_put(id, *(unsigned int *)arg, i);
	return NULL;
}

static void *flush(void *arg)
{
	(void)arg;
	do {
		errors += posix_trace_flush(trid) != 0;
		flushes++;
	} while (!finished);
	return NULL;
}

static void check(int policy, const char *name)
{
	pthread_t writer[NR_THREADS], flusher[NR_THREADS];
	unsigned int which[NR_THREADS];
	int fd = file_make(), partial = 0;
	struct story story;

	finished = errors = 0;
	flushes = 0;
	/* All fits, so that nothing is lost with any policy. */
	trid = stream_begin(
		stream_make_log(0, stream_attr(8 << 20, 64, policy), fd));
	for (unsigned int i = 0; i < NR_THREADS; i++) {
		which[i] = i;
		pthread_create(&writer[i], NULL, record, &which[i]);
		pthread_create(&flusher[i], NULL, flush, NULL);
	}
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(writer[i], NULL);
	finished = 1;
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(flusher[i], NULL);
	is_int(errors, 0, "[flush.1] [threads.3] %s: no error", name);
	is_int(posix_trace_shutdown(trid), 0, "shutdown");
	story_log(fd, id, &story);
	for (int i = 0; i < NR_THREADS; i++)
		partial += story.writer[i].nr != NR;
	is_int(partial, 0, "[flush.4] [flush.12] %s: all events", name);
	is_int(story_gaps(&story) + story_disorder(&story), 0,
	       "[flush.12] %s: once and in order", name);
	is_int(story.flushes_nest, 0,
	       "[xsh_events.11] [xsh_events.12] %s: FLUSH_START, FLUSH_STOP",
	       name);
	ok(story.system[POSIX_TRACE_FLUSH_START] >= flushes &&
	   story.system[POSIX_TRACE_FLUSH_STOP] >= flushes,
	   "[xsh_events.11] %s: one pair for each of %ld flushes", name,
	   (long)flushes);
}

int main(void)
{
	plan(18);
	id = event_id("an event");
	check(POSIX_TRACE_LOOP, "LOOP");
	check(POSIX_TRACE_UNTIL_FULL, "UNTIL_FULL");
	check(POSIX_TRACE_FLUSH, "FLUSH");
	return done();
}
