/* SPDX-License-Identifier: MIT */
/* vfork() in all the ways that break when a frame returns twice. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int reap(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int just_exit(void)
{
	pid_t pid = vfork();

	if (pid == 0)
		_exit(7);
	return reap(pid);
}

static int run_true(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", "exit 9", (char *)NULL);
		_exit(127);
	}
	return reap(pid);
}

static int exec_fails(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		execl("/nonexistent", "x", (char *)NULL);
		_exit(126);
	}
	return reap(pid);
}

/* What the child stores, the parent sees. */
static int shares_memory(void)
{
	volatile int seen = 0;
	pid_t pid = vfork();

	if (pid == 0) {
		seen = 5;
		_exit(0);
	}
	return reap(pid) * 100 + seen;
}

static int nested(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		pid_t inner = vfork();

		if (inner == 0)
			_exit(3);
		_exit(reap(inner) + 1);
	}
	return reap(pid);
}

static int by_pointer(void)
{
	pid_t (*volatile make)(void) = vfork;
	pid_t pid = make();

	if (pid == 0)
		_exit(11);
	return reap(pid);
}

/* Deep in the stack, with much alive across the call. */
static int deep(int depth, int a, int b, int c)
{
	char fill[64];
	pid_t pid;

	memset(fill, depth, sizeof(fill));
	if (depth > 0)
		return deep(depth - 1, b, c, a + fill[3]) + a - a;
	pid = vfork();
	if (pid == 0)
		_exit((a + b + c) & 127);
	return reap(pid) == ((a + b + c) & 127) && fill[0] == depth;
}

static int in_loop(void)
{
	volatile int sum = 0;

	for (volatile int i = 0; i < 200; i++) {
		pid_t pid = vfork();

		if (pid == 0)
			_exit(i & 1);
		sum += reap(pid);
	}
	return sum;
}

static int killed(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		kill(getpid(), SIGKILL);
		_exit(0);
	}
	return reap(pid);
}

static void *thread(void *arg)
{
	*(int *)arg = run_true() * 100 + exec_fails();
	return NULL;
}

static int on_small_stack(void)
{
	pthread_attr_t attr;
	pthread_t id;
	int ret = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 16384);
	if (pthread_create(&id, &attr, thread, &ret) != 0)
		return -1;
	pthread_join(id, NULL);
	return ret;
}

int main(void)
{
	printf("just_exit %d\n", just_exit());
	printf("run_true %d\n", run_true());
	printf("exec_fails %d\n", exec_fails());
	printf("shares_memory %d\n", shares_memory());
	printf("nested %d\n", nested());
	printf("by_pointer %d\n", by_pointer());
	printf("deep %d\n", deep(20, 1, 2, 3));
	printf("in_loop %d\n", in_loop());
	printf("killed %d\n", killed());
	printf("on_small_stack %d\n", on_small_stack());
	return 0;
}
