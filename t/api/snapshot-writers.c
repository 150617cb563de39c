/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_snapshot_np: while four threads record flat out, each snapshot is
 * a complete log, with the events of each thread once and in order.
 */
#include "t/lib/story.h"
#include "t/lib/tap.h"

#define NR_THREADS 4
#define ROUNDS 100

static trace_event_id_t id;
static _Atomic int finished;

static void *record(void *arg)
{
	for (unsigned long i = 0; !finished; i++)
		story_put(id, *(unsigned int *)arg, i);
	return NULL;
}

static void check(trace_id_t trid, const char *name)
{
	int bad = 0, disorder = 0, incomplete = 0, events = 0;
	int rounds = fewer(ROUNDS);
	unsigned int which[NR_THREADS];
	pthread_t writer[NR_THREADS];

	finished = 0;
	for (unsigned int i = 0; i < NR_THREADS; i++) {
		which[i] = i;
		pthread_create(&writer[i], NULL, record, &which[i]);
	}
	for (int i = 0; i < rounds; i++) {
		int fd = file_make();
		struct story story;

		bad += posix_trace_snapshot_np(trid, fd) != 0;
		bad += story_log(fd, id, &story) != 0;
		disorder += story_disorder(&story) != 0;
		incomplete += log_state(fd) != POSIX_TRACE_LOG_COMPLETE_NP;
		events += story.users > 0;
		close(fd);
	}
	finished = 1;
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(writer[i], NULL);
	is_int(bad, 0, "%s: written and read", name);
	is_int(disorder, 0, "%s: once and in order", name);
	is_int(incomplete, 0, "%s: complete", name);
	ok(events > 0, "%s: there are events", name);
	is_int(posix_trace_shutdown(trid), 0, "%s: shutdown", name);
}

int main(void)
{
	plan(15);
	id = event_id("an event");
	check(stream_run(0, stream_attr(65536, 64, POSIX_TRACE_LOOP)), "LOOP");
	check(stream_begin(stream_make_log(
		      0, stream_attr(65536, 64, POSIX_TRACE_LOOP),
		      file_make())),
	      "LOOP with log");
	check(stream_begin(stream_make_log(
		      0, stream_attr(65536, 64, POSIX_TRACE_BLOCK_NP),
		      file_make())),
	      "BLOCK with log");
	return done();
}
