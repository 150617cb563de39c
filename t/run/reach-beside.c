/* SPDX-License-Identifier: MIT */
/*
 * Tasks that go on beside their parent in its memory, and are no threads: both
 * make system calls of their own at once.  For reach-beside.t.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "t/preload/own_call.h"

#define LOOKS 300
#define CHILDREN 100 /* more than are known at once */
#define SIZE 65536

static char stack[2][SIZE] __attribute__((aligned(64)));
static atomic_int nr_here, nr_wrong;
static char *const *program;

static void look_often(const char *path)
{
	for (int i = 0; i < LOOKS; i++)
		if (own_call(SYS_access, (long)path, F_OK, 0) != -ENOENT)
			nr_wrong++;
}

static void meet(int nr)
{
	nr_here++;
	while (nr_here % nr != 0)
		;
}

static int beside(void *arg)
{
	meet(*(int *)arg);
	look_often("/child");
	_exit(7);
}

static int executes(void *arg)
{
	(void)arg;
	look_often("/child");
	own_call(SYS_execve, (long)program[0], (long)program, 0);
	_exit(127);
}

static pid_t make(int (*fn)(void *), int i, void *arg)
{
	return clone(fn, stack[i] + SIZE, CLONE_VM | SIGCHLD, arg);
}

static int status_of(pid_t child)
{
	int status = -1;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

static void one_after_the_other(void)
{
	int two = 2;

	for (int i = 0; i < CHILDREN; i++) {
		pid_t child = make(beside, 0, &two);

		meet(2);
		look_often("/parent");
		printf("status %d\n", status_of(child));
	}
}

static void two_at_once(void)
{
	int three = 3;
	pid_t first = make(beside, 0, &three);
	pid_t second = make(beside, 1, &three);

	meet(3);
	look_often("/parent");
	printf("status %d\n", status_of(first));
	printf("status %d\n", status_of(second));
}

static void one_that_executes(void)
{
	pid_t child = make(executes, 0, NULL);

	look_often("/parent");
	printf("status %d\n", status_of(child));
}

/* From then on nothing of ours may ask who calls. */
static int filter(void)
{
	struct sock_filter all = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	const struct sock_fprog program = {1, &all};
	int two = 2;
	pid_t child = make(beside, 0, &two);

	meet(2);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		return 1;
	look_often("/parent");
	printf("status %d\n", status_of(child));
	return 0;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	program = argv + 2;
	if (strcmp(how, "one") == 0)
		one_after_the_other();
	else if (strcmp(how, "two") == 0)
		two_at_once();
	else if (strcmp(how, "exec") == 0 && argc > 2)
		one_that_executes();
	else if (strcmp(how, "filter") != 0 || filter() != 0)
		return 64;
	printf("%d wrong\n", nr_wrong);
	return 5;
}
