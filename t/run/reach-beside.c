/* SPDX-License-Identifier: MIT */
/*
 * Tasks that go on beside their parent in its memory, and are no threads: both
 * make system calls of their own at once.  For reach-beside.t.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <setjmp.h>
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
#define AT_ONCE 13
#define TOO_MANY 70
#define TRAP_FLAG 0x100
#define LEFT 60
#define STRIDE 31

static char stack[TOO_MANY][SIZE] __attribute__((aligned(64)));
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
	int until = (nr_here++ / nr + 1) * nr;

	while (nr_here < until)
		own_call(SYS_sched_yield, 0, 0, 0);
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

static int executes_at_once(void *arg)
{
	meet(*(int *)arg);
	return executes(arg);
}

static void many(int (*fn)(void *), int nr, void (*meanwhile)(void))
{
	pid_t child[TOO_MANY];
	int all = nr + 1;

	for (int i = 0; i < nr; i++)
		child[i] = make(fn, i, &all);
	meet(all);
	meanwhile();
	for (int i = 0; i < nr; i++)
		printf("status %d\n", status_of(child[i]));
}

static void look(void)
{
	look_often("/parent");
}

/* All are there until the last one has made its call. */
static int looks_once(void *arg)
{
	meet(*(int *)arg);
	own_call(SYS_access, (long)"/one-of-many", F_OK, 0);
	meet(*(int *)arg);
	_exit(7);
}

static void look_last(void)
{
	meet(TOO_MANY + 1);
	own_call(SYS_access, (long)"/parent", F_OK, 0);
}

static sigjmp_buf out;
static volatile int left;

static void count_down(int sig)
{
	(void)sig;
	if (--left == 0)
		siglongjmp(out, 1);
}

static void set_trap(unsigned long flag)
{
	unsigned long flags = __builtin_ia32_readeflags_u64() & ~TRAP_FLAG;

	__builtin_ia32_writeeflags_u64(flags | flag);
}

/* A handler leaves the call behind one of its instructions, if it has so many.
 */
static int leaves(void *arg)
{
	struct sigaction action = {.sa_handler = count_down};

	(void)arg;
	sigaction(SIGTRAP, &action, NULL);
	for (int i = 0; i < LEFT; i++) {
		left = i * STRIDE + 1;
		if (sigsetjmp(out, 1) == 0) {
			set_trap(TRAP_FLAG);
			own_call(SYS_access, (long)"/left", F_OK, 0);
			set_trap(0);
		}
		own_call(SYS_access, (long)"/after", F_OK, 0);
	}
	_exit(7);
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
	else if (strcmp(how, "many") == 0)
		many(beside, AT_ONCE, look);
	else if (strcmp(how, "execs") == 0 && argc > 2)
		many(executes_at_once, AT_ONCE, look);
	else if (strcmp(how, "too-many") == 0)
		many(looks_once, TOO_MANY, look_last);
	else if (strcmp(how, "leaves") == 0)
		printf("status %d\n", status_of(make(leaves, 0, NULL)));
	else if (strcmp(how, "filter") != 0 || filter() != 0)
		return 64;
	printf("%d wrong\n", nr_wrong);
	return 5;
}
