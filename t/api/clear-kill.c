/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_clear: a controller that is killed at any moment, in the middle
 * of clear or after it: the log has nothing older than the last clear that
 * returned, and all that came after the last one that began.
 */
#include "t/lib/logrun.h"
#include "t/lib/proc.h"
#include "t/lib/tap.h"

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>

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
	trace_attr_t *attr = story_attr(1 << 20, policy, LOG_SIZE, log_policy);
	trace_id_t trid;

	(void)self;
	(void)arg;
	if (posix_trace_create_withlog(0, attr, fd, &trid))
		return 1;
	stream_only_user(trid);
	stream_start(trid);
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
static void check(const char *name)
{
	struct sum sum = { .unreadable = 0 };

	for (unsigned int i = 0; i < ROUNDS; i++) {
		struct proc p;

		fd = file_make();
		*shared = (struct shared){ 0 };
		proc_start(&p, controller, NULL);
		while (shared->clears < 2 + i % 5)
			sched_yield();
		/* Some way into what comes next. */
		for (volatile unsigned int n = 0; n < i * 300; n++)
			;
		proc_kill(&p, SIGKILL);
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
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	policy = POSIX_TRACE_LOOP;
	log_policy = POSIX_TRACE_LOOP;
	check("LOOP, log LOOP");
	log_policy = POSIX_TRACE_UNTIL_FULL;
	check("LOOP, log UNTIL_FULL");
	log_policy = POSIX_TRACE_APPEND;
	check("LOOP, log APPEND [clear.15]");
	policy = POSIX_TRACE_FLUSH;
	log_policy = POSIX_TRACE_LOOP;
	check("FLUSH, log LOOP");
	log_policy = POSIX_TRACE_UNTIL_FULL;
	check("FLUSH, log UNTIL_FULL");
	log_policy = POSIX_TRACE_APPEND;
	check("FLUSH, log APPEND [clear.15]");
	return done();
}
