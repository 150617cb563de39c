/* SPDX-License-Identifier: MIT */
/*
 * A program that nothing traces is not in the trace of a dead process that had
 * its parent's pid, in a pid namespace with the same number: also where /proc
 * does not show since when the parent is there.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char *self;

/* The first process of a namespace: /proc is that of the test's. */
static int first(struct proc *p, void *arg)
{
	char what[] = "record", *args[] = {self, what, NULL};
	int status = 1;
	pid_t pid;

	(void)p;
	shm_leave_dead(getpid(), *(pid_t *)arg);
	if (posix_spawn(&pid, self, NULL, NULL, args, environ) == 0)
		waitpid(pid, &status, 0);
	shm_clear_dead();
	return status != 0;
}

int main(int argc, char **argv)
{
	pid_t traced = getpid();
	trace_event_id_t id;
	trace_id_t trid;
	struct proc p;

	self = argv[0];
	if (argc > 1) {
		event_put(event_id("an event"), 1);
		return 0;
	}
	no_sanitizer();
	if (geteuid() != 0)
		skip_all("not root: no pid namespace");
	private_shm(argv);
	plan(2);
	id = event_id("an event");
	trid = stream_make(0, NULL);
	stream_start(trid);
	event_put(id, 1);
	proc_start_first(&p, first, &traced);
	is_int(proc_wait(&p), 0, "the program has run");
	is_int(event_count(trid, id), 1, "in the trace is what belongs there");
	stream_end(trid);
	return done();
}
