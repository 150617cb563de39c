/* SPDX-License-Identifier: MIT */
/* Programs that share with a process of theirs what they like to. */
#include "t/table/table.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK_SIZE 65536
static char stacks[2][STACK_SIZE] __attribute__((aligned(64)));
static atomic_int shared;

static pid_t share(int (*fn)(void *), int flags)
{
	return clone(fn, stacks[0] + STACK_SIZE, flags, NULL);
}

static int change(void *arg)
{
	(void)arg;
	shared++;
	return 5;
}

static int like_vfork(void)
{
	for (int i = 0; i < 10; i++)
		say_end("child",
			share(change, CLONE_VM | CLONE_VFORK | SIGCHLD));
	return shared;
}

static int memory(void)
{
	for (int i = 0; i < 10; i++)
		say_end("child", share(change, CLONE_VM | SIGCHLD));
	return shared;
}

static int copied(void)
{
	say_end("child", share(change, SIGCHLD));
	return shared;
}

static int call_much(void *arg)
{
	(void)arg;
	for (int i = 0; i < 2000; i++) {
		getppid();
		kill(0, 0);
		shared++;
	}
	_exit(6);
}

/* Both at once, with one libc between them. */
static int both_busy(void)
{
	pid_t pid = share(call_much, CLONE_VM | SIGCHLD);

	for (int i = 0; i < 2000; i++) {
		getppid();
		kill(0, 0);
	}
	say_end("child", pid);
	say("shared: %d", shared);
	return 0;
}

static int open_one(void *arg)
{
	(void)arg;
	return open("/dev/null", O_RDONLY);
}

static int descriptors(void)
{
	say_end("child", share(open_one, CLONE_FILES | SIGCHLD));
	said("flags of 3", fcntl(3, F_GETFD));
	said("flags of 4", fcntl(4, F_GETFD));
	return 0;
}

static int move(void *arg)
{
	(void)arg;
	umask(0123);
	return chdir("/");
}

static int directory(void)
{
	char cwd[64] = "";

	say_end("child", share(move, CLONE_FS | SIGCHLD));
	say("cwd: %s", getcwd(cwd, sizeof(cwd)) ? cwd : "none");
	say("umask: %o", umask(0));
	return 0;
}

static int make_sibling(void *arg)
{
	pid_t pid;

	(void)arg;
	pid = clone(change, stacks[1] + STACK_SIZE, CLONE_PARENT | SIGCHLD,
		    NULL);
	return pid > 0 ? 3 : 4;
}

static int sibling(void)
{
	int status = 0;

	say_end("child", share(make_sibling, SIGCHLD));
	if (waitpid(-1, &status, 0) > 0)
		say_status("sibling", status);
	said("no more", waitpid(-1, NULL, __WALL));
	return 0;
}

static volatile int got;

static void take(int sig)
{
	got = sig;
}

static int exit_signal(void)
{
	pid_t pid;

	on_signal(SIGUSR1, take);
	on_signal(SIGCHLD, take);
	pid = share(change, 0);
	said("wait", waitpid(pid, NULL, 0));
	say_end("no signal", pid);
	say("got: %d", got);
	pid = share(change, SIGUSR1);
	say_end("SIGUSR1", pid);
	say("got: %d", got == SIGUSR1);
	return 0;
}

static int ids(void)
{
	pid_t parent_tid = 0, child_tid = 1;
	pid_t pid = clone(change, stacks[0] + STACK_SIZE,
			  CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID |
				  CLONE_VM | SIGCHLD,
			  NULL, &parent_tid, NULL, &child_tid);

	say("parent: %d", parent_tid == pid);
	say_end("child", pid);
	say("cleared: %d", child_tid == 0);
	return 0;
}

static int set_handler(void *arg)
{
	(void)arg;
	on_signal(SIGUSR2, take);
	return 0;
}

static int signal_handlers(void)
{
	say_end("child",
		share(set_handler, CLONE_VM | CLONE_SIGHAND | SIGCHLD));
	raise(SIGUSR2);
	say("got: %d", got == SIGUSR2);
	return 0;
}

static pid_t clone_3(struct clone_args *args)
{
	return (pid_t)syscall(SYS_clone3, args, sizeof(*args));
}

static int new_call(void)
{
	struct clone_args args;
	int fd = -1;
	pid_t pid;

	on_signal(SIGUSR1, take);
	memset(&args, 0, sizeof(args));
	args.exit_signal = SIGCHLD;
	args.flags = CLONE_PIDFD | CLONE_CLEAR_SIGHAND;
	args.pidfd = (uintptr_t)&fd;
	pid = clone_3(&args);
	if (pid == 0) {
		struct sigaction action;

		sigaction(SIGUSR1, NULL, &action);
		_exit(action.sa_handler == SIG_DFL ? 7 : 8);
	}
	said("descriptor", fd);
	say_end("child", pid);
	args.flags = CLONE_VFORK;
	pid = clone_3(&args);
	if (pid == 0)
		syscall(SYS_exit_group, 9);
	say_end("child", pid);
	args.flags = ~0ull;
	said("nonsense", clone_3(&args));
	return 0;
}

static int fails(void)
{
	said("no function", clone(NULL, stacks[0], SIGCHLD, NULL));
	said("no stack", clone(change, NULL, SIGCHLD, NULL));
	said("CLONE_SIGHAND alone", share(change, CLONE_SIGHAND | SIGCHLD));
	said("CLONE_THREAD alone", share(change, CLONE_THREAD));
	return 0;
}

static int nested(void *arg)
{
	pid_t pid = clone(change, stacks[1] + STACK_SIZE,
			  CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
	int status = 0;

	(void)arg;
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status) + 1;
}

static int vfork_in_vfork(void)
{
	say_end("outer", share(nested, CLONE_VM | CLONE_VFORK | SIGCHLD));
	return shared;
}

static int execute(void *arg)
{
	(void)arg;
	execl("/bin/sh", "sh", "-c", "exit 11", (char *)NULL);
	return 12;
}

static int executes(void)
{
	say_end("VM|VFORK", share(execute, CLONE_VM | CLONE_VFORK | SIGCHLD));
	say_end("VM", share(execute, CLONE_VM | SIGCHLD));
	say_end("FILES", share(execute, CLONE_FILES | CLONE_FS | SIGCHLD));
	return 0;
}

static int bare_thread(void *arg)
{
	(void)arg;
	shared = 1;
	syscall(SYS_futex, &shared, 1, 1, NULL, NULL, 0);
	syscall(SYS_exit, 0);
	return 0;
}

/* A thread that libc knows nothing of, on the thread pointer of another. */
static int thread(void)
{
	pid_t child_tid = 1;

	clone(bare_thread, stacks[0] + STACK_SIZE,
	      CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
		      CLONE_SYSVSEM | CLONE_CHILD_CLEARTID |
		      CLONE_PARENT_SETTID,
	      NULL, &child_tid, NULL, &child_tid);
	while (*(volatile pid_t *)&child_tid != 0)
		sched_yield();
	say("shared: %d", shared);
	return 0;
}

const struct program clone_programs[] = {
	{"like-vfork", like_vfork, false},
	{"memory", memory, false},
	{"copied", copied, false},
	{"both-busy", both_busy, false},
	{"descriptors", descriptors, false},
	{"directory", directory, false},
	{"sibling", sibling, false},
	{"exit-signal", exit_signal, false},
	{"ids", ids, false},
	{"handlers", signal_handlers, false},
	{"clone3", new_call, false},
	{"fails", fails, false},
	{"vfork-in-vfork", vfork_in_vfork, false},
	{"executes", executes, false},
	{"thread", thread, false},
	{NULL, NULL, false},
};
