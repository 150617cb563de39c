/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_clear: a controller that is killed at any moment, in the middle
 * of clear or after it: the log has nothing older than the last clear that
 * returned, and all that came after the last one that began.
 */
#include "t/lib/logrun.h"
#include "t/lib/proc.h"
#include "t/lib/tap.h"

#define LOG_SIZE 65536
#define ROUNDS 20

/* Written by the controller, read when it is dead. */
static struct shared {
	_Atomic unsigned long begun;	/* number at the start of a clear */
	_Atomic unsigned long cleared;	/* number at the end of one */
	_Atomic unsigned long recorded;
	_Atomic unsigned long clears;
} *shared;

static trace_event_id_t id;
static int fd, policy, log_policy;

static int controller(struct proc *self, void *arg)
{
	trace_id_t trid = stream_run_log(
		story_attr(1 << 20, policy, LOG_SIZE, log_policy), fd);

	(void)self;
	(void)arg;
	for (unsigned long i = 0;; i++) {
		story_put(id, 0, i);
		shared->recorded = i + 1;
		if (i % 41 == 0)
			posix_trace_flush(trid);
		if (i % 100 != 99)
			continue;
		shared->begun = i + 1;
		posix_trace_clear(trid);
		posix_trace_start(trid);
		shared->cleared = i + 1;
		shared->clears++;
	}
	return 0;
}

struct sum {
	int unreadable, gaps, old, missing;
};

static void look(struct sum *sum)
{
	unsigned long begun = shared->begun, recorded = shared->recorded;
	unsigned long cleared = shared->cleared;
	struct story story;

	if (story_log(fd, id, &story)) {
		sum->unreadable++;
		return;
	}
	sum->gaps += story_gaps(&story) + story_disorder(&story) != 0;
	if (story.users && story.writer[0].first < cleared) {
		sum->old++;
		diag("cleared at %lu, first is %lu", cleared,
		     story.writer[0].first);
	}
	if (recorded > begun &&
	    (story.users == 0 || story.writer[0].first > begun ||
	     story.writer[0].last + 1 < recorded)) {
		sum->missing++;
		diag("recorded from %lu to %lu, there are %lu to %lu", begun,
		     recorded, story.writer[0].first, story.writer[0].last);
	}
}

/* Four tests. */
static void check(int stream, int log, const char *name)
{
	struct sum sum = { .unreadable = 0 };

	policy = stream;
	log_policy = log;
	for (unsigned int i = 0; i < ROUNDS; i++) {
		struct proc p;

		fd = file_make();
		*shared = (struct shared){ 0 };
		proc_start(&p, controller, NULL);
		proc_kill_at(&p, &shared->clears, 2 + i % 5, i * 300);
		look(&sum);
		close(fd);
	}
	is_int(sum.unreadable, 0, "[shutdown.6] %s", name);
	is_int(sum.gaps, 0, "[clear.11] in order, without a gap");
	is_int(sum.old, 0, "[clear.6] [clear.11] nothing older than clear");
	is_int(sum.missing, 0, "[clear.11] all that came after");
}

int main(void)
{
	plan(24);
	id = event_id("an event");
	shared = proc_shared();
	check(POSIX_TRACE_LOOP, POSIX_TRACE_LOOP, "LOOP, log LOOP");
	check(POSIX_TRACE_LOOP, POSIX_TRACE_UNTIL_FULL, "LOOP, log UNTIL_FULL");
	check(POSIX_TRACE_LOOP, POSIX_TRACE_APPEND,
	      "LOOP, log APPEND [clear.15]");
	check(POSIX_TRACE_FLUSH, POSIX_TRACE_LOOP, "FLUSH, log LOOP");
	check(POSIX_TRACE_FLUSH, POSIX_TRACE_UNTIL_FULL,
	      "FLUSH, log UNTIL_FULL");
	check(POSIX_TRACE_FLUSH, POSIX_TRACE_APPEND,
	      "FLUSH, log APPEND [clear.15]");
	return done();
}
