/* SPDX-License-Identifier: MIT */
/*
 * exec: a program goes on as the process that executed it, also beside what
 * dead processes left that had its pid, its parent and its pid namespace and
 * had called exec a moment ago; and a program that was spawned is none of them.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#define PID 3 /* in a new pid namespace, behind two others */

extern char **environ;

static char *self;

/* The dead called exec just now, for ever. */
static pid_t keep_fresh(void)
{
	pid_t pid = fork();

	while (pid == 0)
		shm_dead_exec();
	return pid;
}

static pid_t by_fork(char **args)
{
	pid_t pid = fork();

	if (pid == 0) {
		execv(self, args);
		_exit(127);
	}
	return pid;
}

static pid_t by_vfork(char **args)
{
	pid_t pid = vfork();

	if (pid == 0) {
		execv(self, args);
		_exit(127);
	}
	return pid;
}

static pid_t by_spawn(char **args)
{
	pid_t pid;

	return posix_spawn(&pid, self, NULL, NULL, args, environ) ? -1 : pid;
}

static pid_t (*const ways[])(char **) = {by_vfork, by_fork, by_spawn};
static const char *const names[] = {"vfork", "fork", "posix_spawn"};

static int first(struct proc *p, void *arg)
{
	char what[] = "record", *args[] = {self, what, NULL};
	int status = 1;
	pid_t fresh, pid;

	(void)p;
	shm_leave_dead(PID, 0);
	fresh = keep_fresh();
	pid = ways[*(int *)arg](args);
	if (pid == PID)
		waitpid(pid, &status, 0);
	kill(fresh, SIGKILL);
	waitpid(fresh, NULL, 0);
	shm_clear_dead();
	return status != 0;
}

int main(int argc, char **argv)
{
	struct event ev;
	trace_id_t trid;
	struct proc p;

	self = argv[0];
	if (argc > 1) {
		event_put(event_id("an event"), 1);
		return 0;
	}
	no_sanitizer();
	if (under_tsan())
		skip_all("ThreadSanitizer's threads take the numbers");
	if (geteuid() != 0)
		skip_all("not root: no pid namespace");
	private_shm(argv);
	plan(9);
	for (int way = 0; way < 3; way++) {
		trid = stream_make(0, attr_inherit(stream_attr(0, 0, 0)));
		stream_start(trid);
		proc_start_first(&p, first, &way);
		is_int(proc_wait(&p), 0, "%s: it has that pid", names[way]);
		ok(event_find_name(trid, "an event", &ev), "it is traced");
		is_int(ev.info.posix_pid, PID, "under its pid");
		stream_end(trid);
	}
	return done();
}
