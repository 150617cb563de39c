/* SPDX-License-Identifier: MIT */
/*
 * victim-fork-time HOW N: N children, one after the other, made by fork, vfork,
 * clone (a copy), shared (by clone, in our memory), raw (no wrapper sees it) or
 * spawn; killed: by fork, and killed at once.  All call malloc(), before the
 * call and after it.
 */
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK 65536

static char stack[STACK] __attribute__((aligned(16)));

static void call_malloc(void)
{
	void *volatile p = malloc(100);

	free(p);
}

static void child(void)
{
	call_malloc();
	_exit(0);
}

static int cloned(void *arg)
{
	(void)arg;
	child();
	return 0;
}

static pid_t spawned(void)
{
	char name[] = "true";
	char *argv[] = {name, NULL};
	pid_t pid;

	return posix_spawnp(&pid, "true", NULL, NULL, argv, environ) == 0 ?
		       pid :
		       -1;
}

static pid_t in_our_memory(void)
{
	pid_t pid = vfork();

	if (pid == 0)
		child();
	return pid;
}

static pid_t make(const char *how)
{
	pid_t pid;

	if (strcmp(how, "spawn") == 0)
		return spawned();
	if (strcmp(how, "vfork") == 0)
		return in_our_memory();
	if (strcmp(how, "clone") == 0)
		return clone(cloned, stack + STACK, SIGCHLD, NULL);
	if (strcmp(how, "shared") == 0)
		return clone(cloned, stack + STACK,
			     CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
	if (strcmp(how, "raw") == 0)
		pid = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, 0L);
	else
		pid = fork();
	if (pid == 0)
		child();
	if (pid > 0 && strcmp(how, "killed") == 0)
		kill(pid, SIGKILL);
	return pid;
}

int main(int argc, char **argv)
{
	for (int i = argc > 2 ? atoi(argv[2]) : 0; i > 0; i--) {
		pid_t pid;

		call_malloc();
		pid = make(argv[1]);
		call_malloc();
		if (pid <= 0 || waitpid(pid, NULL, 0) != pid)
			return 1;
	}
	return 0;
}
