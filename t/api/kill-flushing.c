/* SPDX-License-Identifier: MIT */
/*
 * SIGKILL of a controller in the middle of posix_trace_flush: all events
 * recorded before are in the log, once, with each stream policy.
 */
#include "t/lib/logrun.h"
#include "t/lib/proc.h"
#include "t/lib/tap.h"

#define ROUNDS 20

/* Written by the controller, read when it is dead. */
static struct shared {
	_Atomic unsigned long recorded;
	_Atomic unsigned long flushes;
} *shared;

static trace_event_id_t id;
static int fd, policy;

static int controller(struct proc *self, void *arg)
{
	trace_id_t trid = stream_run_log(
		story_attr(1 << 20, policy, 0, POSIX_TRACE_APPEND), fd);

	(void)self;
	(void)arg;
	for (unsigned long i = 0;; i++) {
		story_put(id, 0, i);
		shared->recorded = i + 1;
		if (i % 20)
			continue;
		shared->flushes++;
		posix_trace_flush(trid);
	}
	return 0;
}

/* Three tests. */
static void check(int stream, const char *name)
{
	int unreadable = 0, bad = 0, missing = 0;

	policy = stream;
	for (unsigned int i = 0; i < ROUNDS; i++) {
		unsigned long recorded;
		struct story story;
		struct proc p;

		fd = file_make();
		*shared = (struct shared){ 0 };
		proc_start(&p, controller, NULL);
		proc_kill_at(&p, &shared->flushes, 5 + i, i * 50);
		recorded = shared->recorded;
		if (story_log(fd, id, &story))
			unreadable++;
		bad += story.writer[0].first != 0 ||
		       story_gaps(&story) + story_disorder(&story);
		if ((unsigned long)story.users < recorded) {
			missing++;
			diag("recorded %lu, there are %ld", recorded,
			     story.users);
		}
		close(fd);
	}
	is_int(unreadable, 0, "[shutdown.6] %s", name);
	is_int(bad, 0, "[flush.12] once, in order, without a gap");
	is_int(missing, 0, "[shutdown.6] none is missing");
}

int main(void)
{
	plan(9);
	id = event_id("an event");
	shared = proc_shared();
	check(POSIX_TRACE_LOOP, "LOOP");
	check(POSIX_TRACE_UNTIL_FULL, "UNTIL_FULL");
	check(POSIX_TRACE_FLUSH, "FLUSH");
	return done();
}
