/* SPDX-License-Identifier: MIT */
/*
 * posix_spawn: a child that has not got so far as to load the library is one of
 * those that live, for a second, whatever children come meanwhile that nobody
 * has announced: by vfork, and by a system call of the program's own.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TRIES 20

extern char **environ;

static char *self;

static void record(void)
{
	event_put(event_id("an event"), 1);
}

static int make(struct proc *p, void *arg)
{
	char what[] = "record", *args[] = {self, what, NULL};
	pid_t pid;

	(void)arg;
	proc_turn(p);
	if (posix_spawn(&pid, self, NULL, NULL, args, environ))
		return 1;
	pid = vfork();
	if (pid == 0) {
		execv(self, args);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
	pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (pid == 0) {
		record();
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	_exit(0);
}

/* Lets all run but the parent's first child from its exec on, until the parent
 * has ended.  Returns that child's pid.  (A parent that vforks runs on some
 * time before the child is stopped at its exec: a later one may be there first,
 * and the end of the parent, too.) */
static pid_t await_end(pid_t parent)
{
	unsigned long first = 0;
	pid_t held = 0;
	bool ended = false;

	while (!ended || !held) {
		int status;
		pid_t pid = waitpid(-1, &status, __WALL);

		if (pid < 0)
			return held;
		if (!WIFSTOPPED(status)) {
			ended |= pid == parent;
			continue;
		}
		if (pid == parent && !first &&
		    status >> 16 == PTRACE_EVENT_VFORK)
			ptrace(PTRACE_GETEVENTMSG, pid, NULL, &first);
		if (status >> 16 == PTRACE_EVENT_EXEC && !held &&
		    (!first || pid == (pid_t)first))
			held = pid;
		else
			ptrace(PTRACE_CONT, pid, NULL,
			       status >> 16 ? 0 : WSTOPSIG(status));
	}
	return held;
}

static int nr_live(trace_id_t trid)
{
	struct posix_trace_info_np info;

	return posix_trace_get_info_np(trid, &info) ? -1 :
						      (int)info.live_processes;
}

static void finish(pid_t pid)
{
	int status;

	ptrace(PTRACE_CONT, pid, NULL, NULL);
	while (waitpid(pid, &status, __WALL) == pid && WIFSTOPPED(status))
		ptrace(PTRACE_CONT, pid, NULL, NULL);
}

/* False: the machine was too slow. */
static int try(void)
{
	long options = PTRACE_O_TRACEVFORK | PTRACE_O_TRACEFORK |
		       PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;
	int live, events;
	trace_id_t trid;
	struct proc p;
	time_t since;
	pid_t held;

	proc_start(&p, make, NULL);
	proc_await(&p);
	trid = stream_run(p.pid, attr_inherit(stream_attr(0, 0, 0)));
	if (ptrace(PTRACE_SEIZE, p.pid, NULL, options))
		skip_all("no ptrace(2)");
	since = time(NULL);
	proc_tell(&p);
	held = await_end(p.pid);
	live = nr_live(trid);
	/* Of the same second: less than one has passed. */
	if (held && live == 0 && time(NULL) != since) {
		kill(held, SIGKILL);
		stream_end(trid);
		return 0;
	}
	finish(held);
	events = event_count(trid, event_id("an event"));
	stream_end(trid);
	plan(2);
	is_int(live, 1, "it lives");
	is_int(events, 3, "all are traced");
	return 1;
}

int main(int argc, char **argv)
{
	self = argv[0];
	if (argc > 1) {
		record();
		return 0;
	}
	no_sanitizer();
	for (int tries = 0; tries < TRIES; tries++)
		if (try())
			return done();
	skip_all("too slow a machine");
}
