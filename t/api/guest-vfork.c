/* SPDX-License-Identifier: MIT */
/*
 * A program that another user's process has started, by vfork, is one of those
 * that live from the beginning: when its parent has ended, and before it has
 * got as far as to load the library.  Runs only as root.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#define USER 65534

static char **args;

/* Another user's: starts a third program, and ends. */
static int guest(char **argv)
{
	struct proc p = proc_again(argv);
	pid_t pid;

	proc_turn(&p);
	pid = vfork();
	if (pid == 0) {
		execl(argv[0], argv[0], "record", NULL);
		_exit(127);
	}
	return pid < 0;
}

static int become(struct proc *self, void *arg)
{
	(void)arg;
	proc_turn(self);
	if (setgroups(0, NULL) || setresgid(USER, USER, USER) ||
	    setresuid(USER, USER, USER))
		return 125;
	/* 1 where the tests have to load the library first. */
	setenv("PTRACE_DISABLE", "0", 1);
	proc_exec(self, args[0], "guest");
	return 126;
}

/* Lets both run, until the one has ended and the other is about to begin its
 * program.  Returns its pid. */
static pid_t await_exec(pid_t parent)
{
	pid_t child = 0;
	int ended = 0;

	while (!child || !ended) {
		int status;
		pid_t pid = waitpid(-1, &status, __WALL);

		if (pid < 0)
			return 0;
		if (!WIFSTOPPED(status))
			ended |= pid == parent;
		else if (status >> 16 == PTRACE_EVENT_EXEC)
			child = pid;
		else
			ptrace(PTRACE_CONT, pid, NULL,
			       status >> 16 ? 0 : WSTOPSIG(status));
	}
	return child;
}

static int nr_live(trace_id_t trid)
{
	struct posix_trace_info_np info;

	return posix_trace_get_info_np(trid, &info) ? -1 :
						      (int)info.live_processes;
}

int main(int argc, char **argv)
{
	trace_id_t trid;
	int status = -1;
	struct proc p;
	pid_t child;

	if (argc > 1 && strcmp(argv[1], "guest") == 0)
		return guest(argv);
	if (argc > 1 && strcmp(argv[1], "record") == 0) {
		event_put(event_id("an event"), 1);
		return 0;
	}
	no_sanitizer();
	if (under_tsan())
		skip_all("ThreadSanitizer executes a program twice");
	if (geteuid() != 0)
		skip_all("not root: no other to become");
	args = argv;
	proc_start(&p, become, NULL);
	proc_await(&p);
	trid = stream_run(p.pid, attr_inherit(stream_attr(0, 0, 0)));
	if (!proc_turn(&p))
		skip_all("the tree is closed to others");
	if (ptrace(PTRACE_SEIZE, p.pid, NULL,
		   PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC))
		skip_all("no ptrace(2)");
	plan(4);
	proc_tell(&p);
	child = await_exec(p.pid);
	ok(child > 0, "the parent has ended, the child is in exec");
	is_int(nr_live(trid), 1, "it is there");
	ptrace(PTRACE_CONT, child, NULL, NULL);
	while (waitpid(child, &status, __WALL) == child && WIFSTOPPED(status))
		ptrace(PTRACE_CONT, child, NULL, NULL);
	is_int(event_count(trid, POSIX_TRACE_UNNAMED_USEREVENT), 1,
	       "it records");
	is_int(posix_trace_shutdown(trid), 0, "shutdown");
	return done();
}
