/* SPDX-License-Identifier: MIT */
/*
 * A process whose child is killed before its first instruction: a tracer, by
 * ptrace(2), stops it as it is made.  The arguments are how it makes one, and
 * whether it reaps it; it prints the pid that the call returned.
 */
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK 65536

extern char **environ;

static char stack[STACK] __attribute__((aligned(16)));

static int cloned(void *arg)
{
	(void)arg;
	return 0;
}

/* Nothing but system calls of its own: of that nothing is recorded. */
static void die(void)
{
	syscall(SYS_kill, (int)syscall(SYS_getpid), SIGKILL);
}

static pid_t by_vfork(void)
{
	volatile pid_t pid = vfork();

	if (pid == 0)
		die();
	return pid;
}

static pid_t by_spawn(void)
{
	char name[] = "true", *argv[] = {name, NULL};
	pid_t pid;

	return posix_spawn(&pid, "/bin/true", NULL, NULL, argv, environ) ? -1 :
									   pid;
}

static pid_t make(const char *how)
{
	pid_t pid = -1;
	int fd;

	if (strcmp(how, "fork") == 0)
		pid = fork();
	else if (strcmp(how, "_Fork") == 0)
		pid = _Fork();
	else if (strcmp(how, "forkpty") == 0)
		pid = forkpty(&fd, NULL, NULL, NULL);
	else if (strcmp(how, "clone") == 0)
		pid = clone(cloned, stack + STACK, SIGCHLD, NULL);
	else if (strcmp(how, "vfork") == 0)
		pid = by_vfork();
	else if (strcmp(how, "posix_spawn") == 0)
		pid = by_spawn();
	if (pid == 0)
		_exit(0);
	return pid;
}

/* What the tracee has made: at its first stop, which is before its first
 * instruction; of one that executes a program, before that one's. */
static bool must_die(int status, bool executes)
{
	int event = executes ? PTRACE_EVENT_EXEC : PTRACE_EVENT_STOP;

	return status >> 16 == event;
}

/* Ends when the tracee has ended. */
static void __attribute__((noreturn))
trace(pid_t tracee, bool executes, int ready_fd)
{
	const long options = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
			     PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;
	int status, signo;
	pid_t pid;

	if (ptrace(PTRACE_SEIZE, tracee, NULL, options) != 0)
		_exit(1);
	if (write(ready_fd, "", 1) != 1)
		_exit(1);
	while ((pid = waitpid(-1, &status, __WALL)) > 0) {
		if (!WIFSTOPPED(status))
			continue;
		if (pid != tracee && must_die(status, executes))
			kill(pid, SIGKILL);
		signo = status >> 16 ? 0 : WSTOPSIG(status);
		ptrace(PTRACE_CONT, pid, NULL, (long)signo);
	}
	_exit(0);
}

/* False: we may not be traced. */
static int be_traced(bool executes)
{
	int allowed[2], ready[2];
	pid_t self = getpid(), tracer;
	char byte;

	if (pipe(allowed) != 0 || pipe(ready) != 0)
		return 0;
	tracer = fork();
	if (tracer == 0) {
		close(ready[0]);
		if (read(allowed[0], &byte, 1) == 1)
			trace(self, executes, ready[1]);
		_exit(1);
	}
	close(ready[1]);
	prctl(PR_SET_PTRACER, tracer, 0, 0, 0);
	return write(allowed[1], "", 1) == 1 && read(ready[0], &byte, 1) == 1;
}

int main(int argc, char **argv)
{
	pid_t pid;

	if (argc < 3)
		return 2;
	if (!be_traced(strcmp(argv[1], "vfork") == 0 ||
		       strcmp(argv[1], "posix_spawn") == 0))
		return 3;
	pid = make(argv[1]);
	printf("%d\n", (int)pid);
	fflush(stdout);
	if (strcmp(argv[2], "reaps") == 0)
		waitpid(pid, NULL, __WALL);
	_exit(pid > 0 ? 0 : 1);
}
