/* SPDX-License-Identifier: MIT */
/*
 * victim-namespace WAY: makes a child in a new pid namespace, which executes
 * sh(1), and prints what the call returned, and the child's own number.  WAY:
 * fork, vfork, spawn; clone, clone-vm: two, one after the other.
 */
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char name[] = "sh", option[] = "-c", script[] = "exit 5";
static char *const program[] = {name, option, script, NULL};
static char stack[65536] __attribute__((aligned(16)));

static int execute(void *arg)
{
	(void)arg;
	execv("/bin/sh", program);
	_exit(127);
}

static pid_t by_fork(void)
{
	pid_t pid = fork();

	if (pid == 0)
		execute(NULL);
	return pid;
}

static pid_t by_vfork(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		execv("/bin/sh", program);
		_exit(127);
	}
	return pid;
}

static pid_t by_spawn(void)
{
	pid_t pid;

	return posix_spawn(&pid, "/bin/sh", NULL, NULL, program, environ) ? -1 :
									    pid;
}

static pid_t by_clone(int flags)
{
	return clone(execute, stack + sizeof(stack),
		     CLONE_NEWPID | SIGCHLD | flags, NULL);
}

/* Returns its exit status, or -1. */
static int await(pid_t pid)
{
	int status;

	printf("%d 1\n", (int)pid);
	fflush(stdout);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	int flags = strcmp(way, "clone-vm") == 0 ? CLONE_VM | CLONE_VFORK : 0;

	/* Two namespaces: each has a process 1. */
	if (strncmp(way, "clone", 5) == 0)
		return await(by_clone(flags)) == 5 ? await(by_clone(flags)) : 1;
	if (unshare(CLONE_NEWPID))
		return 77;
	if (strcmp(way, "fork") == 0)
		return await(by_fork());
	if (strcmp(way, "vfork") == 0)
		return await(by_vfork());
	return await(by_spawn());
}
