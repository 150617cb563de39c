/* SPDX-License-Identifier: MIT */
/*
 * A program that looks what its parent hands down to it is not in the trace of
 * a process that takes the parent's entry meanwhile, at any moment.
 */
#include "t/lib/shm.h"
#include "t/lib/step.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <spawn.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char *self;

static int child(struct proc *p, void *arg)
{
	char what[] = "record", *args[] = {self, what, NULL};
	pid_t pid;

	(void)arg;
	proc_turn(p);
	if (posix_spawn(&pid, self, NULL, NULL, args, environ))
		return 1;
	waitpid(pid, NULL, 0);
	return 0;
}

static pid_t await_exec(void)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, __WALL)) > 0) {
		if (!WIFSTOPPED(status))
			continue;
		if (status >> 16 == PTRACE_EVENT_EXEC)
			return pid;
		ptrace(PTRACE_CONT, pid, NULL,
		       status >> 16 ? 0 : WSTOPSIG(status));
	}
	return 0;
}

/* Half a system call further; 0: it has ended. */
static int step(pid_t pid)
{
	int status;

	ptrace(PTRACE_SYSCALL, pid, NULL, NULL);
	return waitpid(pid, &status, __WALL) == pid && WIFSTOPPED(status);
}

/* The entry becomes another's before the n-th stop.  0: there are not so many;
 * else 1, or 2 if the program was traced. */
static int one(int n)
{
	trace_event_id_t id = event_id("an event");
	trace_id_t trid = stream_run(0, NULL);
	int on = 1, events;
	struct proc p;
	pid_t pid;

	proc_start(&p, child, NULL);
	proc_await(&p);
	if (ptrace(PTRACE_SEIZE, p.pid, NULL,
		   PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC))
		skip_all("no ptrace(2)");
	proc_tell(&p);
	pid = await_exec();
	while (n >= 0 && (on = step(pid)) != 0)
		n--;
	if (on) {
		shm_lend(p.pid, getpid());
		while (step(pid))
			;
		shm_lend(p.pid, 0);
	}
	events = event_count(trid, id);
	kill(p.pid, SIGKILL);
	proc_wait(&p);
	stream_end(trid);
	return !on ? 0 : 1 + (events > 0);
}

int main(int argc, char **argv)
{
	int result, nr = 0, wrong = 0;

	self = argv[0];
	if (argc > 1) {
		event_put(event_id("an event"), 1);
		return 0;
	}
	step_needed();
	private_shm(argv);
	plan(2);
	for (; (result = one(nr)) > 0; nr++)
		wrong += result > 1;
	ok(nr > 10, "%d moments", nr);
	is_int(wrong, 0, "it is never traced");
	return done();
}
