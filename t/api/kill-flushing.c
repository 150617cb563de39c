/* SPDX-License-Identifier: MIT */
/*
 * SIGKILL of a controller in the middle of posix_trace_flush: all events
 * recorded before are in the log, once, with each stream policy.
 */
#include "t/lib/logrun.h"
#include "t/lib/proc.h"
#include "t/lib/tap.h"

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>

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
	trace_attr_t *attr =
		story_attr(1 << 20, policy, 0, POSIX_TRACE_APPEND);
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
		if (i % 20)
			continue;
		shared->flushes++;
		posix_trace_flush(trid);
	}
}

/* Three tests. */
static void check(const char *name)
{
	int unreadable = 0, bad = 0, missing = 0;

	for (unsigned int i = 0; i < ROUNDS; i++) {
		unsigned long recorded;
		struct story story;
		struct proc p;

		fd = file_make();
		*shared = (struct shared){ 0 };
		proc_start(&p, controller, NULL);
		while (shared->flushes < 5 + i)
			sched_yield();
		for (volatile unsigned int n = 0; n < i * 50; n++)
			;
		proc_kill(&p, SIGKILL);
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
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	policy = POSIX_TRACE_LOOP;
	check("LOOP");
	policy = POSIX_TRACE_UNTIL_FULL;
	check("UNTIL_FULL");
	policy = POSIX_TRACE_FLUSH;
	check("FLUSH");
	return done();
}
