/* SPDX-License-Identifier: MIT */
/* Each way to make a process that libc has, and the bare system call. */
#include <pty.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK 65536
static char stack[STACK] __attribute__((aligned(16)));
static int shared;

static void report(const char *what, pid_t pid)
{
	int status = -1;

	if (pid < 0 || waitpid(pid, &status, __WALL) != pid)
		printf("%s: failed\n", what);
	else
		printf("%s: status %d\n", what, WEXITSTATUS(status));
}

static int cloned(void *arg)
{
	shared = 1;
	return (int)(long)arg;
}

static void *thread(void *arg)
{
	return arg;
}

/* A child that libc knows nothing of does something that is traced. */
static void in_bare_child(int nr_threads)
{
	pthread_t id;

	for (int i = 0; i < nr_threads; i++)
		if (pthread_create(&id, NULL, thread, NULL) == 0)
			pthread_join(id, NULL);
	_exit(16);
}

int main(void)
{
	int fd, status;
	siginfo_t info;
	pid_t pid;

	setvbuf(stdout, NULL, _IONBF, 0);
	pid = fork();
	if (pid == 0)
		_exit(11);
	report("fork", pid);
	pid = _Fork();
	if (pid == 0)
		_exit(12);
	report("_Fork", pid);
	pid = forkpty(&fd, NULL, NULL, NULL);
	if (pid == 0)
		_exit(13);
	report("forkpty", pid);
	report("clone", clone(cloned, stack + STACK, SIGCHLD, (void *)14));
	printf("shared %d\n", shared);
	report("clone like vfork",
	       clone(cloned, stack + STACK, CLONE_VM | CLONE_VFORK | SIGCHLD,
		     (void *)15));
	printf("shared %d\n", shared);
	printf("clone of nothing %d\n", clone(NULL, stack + STACK, 0, NULL));
	pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (pid == 0)
		in_bare_child(100);
	report("bare", pid);
	pid = fork();
	if (pid == 0)
		_exit(17);
	memset(&info, 0, sizeof(info));
	if (waitid(P_PID, (id_t)pid, NULL, WEXITED | WNOWAIT) == 0 &&
	    waitid(P_PID, (id_t)pid, &info, WEXITED) == 0)
		printf("waitid: %d %d\n", info.si_code, info.si_status);
	pid = fork();
	if (pid == 0)
		kill(getpid(), SIGKILL);
	if (wait3(&status, 0, NULL) == pid)
		printf("wait3: %x\n", status);
	return 0;
}
