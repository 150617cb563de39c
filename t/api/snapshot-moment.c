/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_snapshot_np: it is of one moment.  Where an event of one thread
 * comes after one of another, no snapshot has it without that one.
 */
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <sched.h>

#define ROUNDS 200

static trace_event_id_t id;
static _Atomic unsigned long turn;
static _Atomic int finished;

/* The first thread puts a number, then the other the same one, and so on. */
static void *record(void *arg)
{
	unsigned int me = *(unsigned int *)arg;

	while (!finished)
		if (turn % 2 == me) {
			story_put(id, me, turn / 2);
			turn++;
		} else {
			sched_yield();
		}
	return NULL;
}

int main(void)
{
	trace_id_t trid =
		stream_run(0, stream_attr(4 << 20, 64, POSIX_TRACE_LOOP));
	unsigned int which[] = {0, 1};
	int torn = 0, empty = 0, bad = 0, rounds = fewer(ROUNDS);
	pthread_t writer[2];

	plan(3);
	id = event_id("an event");
	for (int i = 0; i < 2; i++)
		pthread_create(&writer[i], NULL, record, &which[i]);
	while (turn < 100)
		sched_yield();
	for (int i = 0; i < rounds; i++) {
		int fd = file_make();
		struct story story;

		bad += posix_trace_snapshot_np(trid, fd) != 0;
		story_log(fd, id, &story);
		empty += story.writer[1].nr == 0;
		torn += story.writer[1].last > story.writer[0].last;
		close(fd);
	}
	finished = 1;
	for (int i = 0; i < 2; i++)
		pthread_join(writer[i], NULL);
	is_int(bad, 0, "written");
	is_int(empty, 0, "with events of both");
	is_int(torn, 0, "none without what came before it");
	stream_end(trid);
	return done();
}
