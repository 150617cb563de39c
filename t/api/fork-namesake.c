/* SPDX-License-Identifier: MIT */
/*
 * fork: the end of a killed process that nobody has looked for since is told
 * before a new process with its pid records.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PID 2 /* of the first child in a new pid namespace */

extern char **environ;

static char *self;

static void record(void)
{
	event_put(event_id("an event"), 1);
}

static pid_t by_fork(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		record();
		_exit(0);
	}
	return pid;
}

static pid_t by_vfork(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		record();
		_exit(0);
	}
	return pid;
}

static pid_t by_spawn(void)
{
	char what[] = "record", *args[] = {self, what, NULL};
	pid_t pid;

	return posix_spawn(&pid, self, NULL, NULL, args, environ) ? -1 : pid;
}

static pid_t (*const ways[])(void) = {by_fork, by_vfork, by_spawn};
static const char *const names[] = {"fork", "vfork", "posix_spawn"};

struct task {
	pid_t traced;
	int way;
};

static int first(struct proc *p, void *arg)
{
	const struct task *task = arg;
	int status = 1;
	pid_t pid;

	(void)p;
	shm_leave_dead(PID, task->traced);
	pid = ways[task->way]();
	if (pid == PID)
		waitpid(pid, &status, 0);
	shm_clear_dead();
	return status != 0;
}

/* How many ends of that pid come before the event; -1: it does not come. */
static int ends_before(trace_id_t trid)
{
	char name[TRACE_EVENT_NAME_MAX];
	struct event ev;
	int nr = 0;

	while (event_next(trid, &ev)) {
		if (ev.info.posix_pid != PID ||
		    posix_trace_eventid_get_name(trid, ev.info.posix_event_id,
						 name))
			continue;
		if (strcmp(name, "an event") == 0)
			return nr;
		nr += strcmp(name, "process:exit") == 0;
	}
	return -1;
}

int main(int argc, char **argv)
{
	struct task task = {.traced = getpid()};
	trace_id_t trid;
	struct proc p;

	self = argv[0];
	if (argc > 1) {
		record();
		return 0;
	}
	no_sanitizer();
	if (under_tsan())
		skip_all("ThreadSanitizer's threads take the numbers");
	if (geteuid() != 0)
		skip_all("not root: no pid namespace");
	private_shm(argv);
	plan(6);
	for (; task.way < 3; task.way++) {
		trid = stream_make(0, attr_inherit(stream_attr(0, 0, 0)));
		stream_start(trid);
		proc_start_first(&p, first, &task);
		is_int(proc_wait(&p), 0, "%s: it has that pid",
		       names[task.way]);
		ok(ends_before(trid) > 0, "first comes its former owner's end");
		stream_end(trid);
	}
	return done();
}
