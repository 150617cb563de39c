/* SPDX-License-Identifier: MIT */
/* Programs that give a task thread-local storage that is not libc's. */
#include "t/table/table.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE 65536
static char stack[SIZE] __attribute__((aligned(64)));
static char block[SIZE] __attribute__((aligned(64)));
static atomic_int go;

/* Calls that cannot fail, so that libc does not look for errno there. */
static int work(void *arg)
{
	(void)arg;
	chdir("/");
	umask(022);
	close(dup(1));
	_exit(7);
}

static int execute(void *arg)
{
	(void)arg;
	execl("/bin/true", "true", (char *)NULL);
	_exit(1);
}

static int beside(void *arg)
{
	(void)arg;
	for (int i = 0; i < 1000; i++)
		close(dup(1));
	go = 1;
	_exit(8);
}

static pid_t outsider(int (*fn)(void *), int flags, void *tls)
{
	return clone(fn, stack + SIZE, flags | CLONE_SETTLS | SIGCHLD, NULL,
		     NULL, tls, NULL);
}

/* As Chromium's, which changes its root so. */
static int zeros(void)
{
	say_end("VM|VFORK", outsider(work, CLONE_VM | CLONE_VFORK, block));
	say_end("in the middle",
		outsider(work, CLONE_VM | CLONE_VFORK, block + SIZE / 2));
	say_end("own memory", outsider(work, 0, block + SIZE / 2));
	return 0;
}

/* Where libraries have theirs: before the pointer, or behind two words. */
#if defined(__x86_64__)
#define THEIRS block
#define POINTER_SIZE 0
#else
#define THEIRS (block + SIZE / 2 + 16)
#define POINTER_SIZE 16
#endif
#define THEIR_SIZE (SIZE / 2 - 16)

/* What is there leads nowhere, and must not be written to. */
static int anything(void)
{
	int changed = 0;

	memset(THEIRS, 0xa5, THEIR_SIZE);
	say_end("VM|VFORK",
		outsider(work, CLONE_VM | CLONE_VFORK, block + SIZE / 2));
	for (int i = 0; i < THEIR_SIZE; i++)
		changed += THEIRS[i] != (char)0xa5;
	say("%d bytes changed", changed);
	say_end("own memory", outsider(work, 0, block + SIZE / 2));
	return 0;
}

static int nothing_there(void)
{
	char *pages = mmap(NULL, 2 * SIZE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	char *tls = pages + SIZE - POINTER_SIZE;

	mprotect(POINTER_SIZE ? pages + SIZE : pages, SIZE, PROT_NONE);
	say_end("VM|VFORK", outsider(work, CLONE_VM | CLONE_VFORK, tls));
	say_end("own memory", outsider(work, 0, tls));
	return 0;
}

/* Two tasks whose storage says that they are the same thread. */
static int copied(void)
{
	char *here = __builtin_thread_pointer();
	pid_t pid;

	memcpy(block + SIZE / 2 - 1024, here - 1024, 1024 + 512);
	go = 0;
	pid = outsider(beside, CLONE_VM, block + SIZE / 2);
	while (!go)
		close(dup(1));
	say_end("beside", pid);
	return 0;
}

static int executes(void)
{
	say_end("VM|VFORK",
		outsider(execute, CLONE_VM | CLONE_VFORK, block + SIZE / 2));
	say_end("own memory", outsider(execute, 0, block + SIZE / 2));
	return 0;
}

static int many(void)
{
	for (int i = 0; i < 100; i++)
		say_end("child", outsider(work, CLONE_VM | CLONE_VFORK,
					  block + SIZE / 2 + 64 * i));
	return 0;
}

static void handler(int signo)
{
	(void)signo;
	close(dup(1));
}

static int signalled_work(void *arg)
{
	(void)arg;
	syscall(SYS_kill, getpid(), SIGUSR1);
	_exit(9);
}

static int signalled(void)
{
	struct sigaction action = {.sa_handler = handler};

	sigaction(SIGUSR1, &action, NULL);
	say_end("VM|VFORK", outsider(signalled_work, CLONE_VM | CLONE_VFORK,
				     block + SIZE / 2));
	return 0;
}

/* With a stack of its own it goes on behind the call; without CLONE_VM with a
 * copy of ours. */
static int by_number(void)
{
	struct clone_args args = {
		.flags = CLONE_SETTLS,
		.exit_signal = SIGCHLD,
		.tls = (uintptr_t)block + SIZE / 2,
	};
	pid_t pid;

#if defined(__x86_64__)
	pid = (pid_t)syscall(SYS_clone, CLONE_SETTLS | SIGCHLD, 0, 0, 0,
			     block + SIZE / 2);
#else
	pid = (pid_t)syscall(SYS_clone, CLONE_SETTLS | SIGCHLD, 0, 0,
			     block + SIZE / 2, 0);
#endif
	if (pid == 0)
		work(NULL);
	say_end("clone", pid);
	pid = (pid_t)syscall(SYS_clone3, &args, sizeof(args));
	if (pid == 0)
		work(NULL);
	say_end("clone3", pid);
	said("bad clone3", syscall(SYS_clone3, 8, sizeof(args)));
	return 0;
}

#if defined(__x86_64__)

#include <asm/prctl.h>

/* As emulators do. */
static int switched(void)
{
	unsigned long libc = 0;

	memset(THEIRS, 0xa5, THEIR_SIZE);
	for (int i = 0; i < 3; i++) {
		syscall(SYS_arch_prctl, ARCH_GET_FS, &libc);
		syscall(SYS_arch_prctl, ARCH_SET_FS, block + SIZE / 2);
		close(dup(1));
		syscall(SYS_arch_prctl, ARCH_SET_FS, libc);
		close(dup(1));
	}
	say("still here");
	return 0;
}

/* By an instruction of its own nobody sees it coming. */
static int unseen(void)
{
	register long r10 __asm__("r10") = 0;
	register long r8 __asm__("r8") = (long)(block + SIZE / 2);
	long pid;

	__asm__ volatile("syscall"
			 : "=a"(pid)
			 : "a"(SYS_clone), "D"(CLONE_SETTLS | SIGCHLD), "S"(0),
			   "d"(0), "r"(r10), "r"(r8)
			 : "rcx", "r11", "memory");
	if (pid == 0)
		work(NULL);
	say_end("clone", (pid_t)pid);
	return 0;
}

#define X86_PROGRAMS {"switched", switched, false}, {"unseen", unseen, false},
#else
#define X86_PROGRAMS
#endif

const struct program tls_programs[] = {
	{"zeros", zeros, false},
	{"anything", anything, false},
	{"nothing-there", nothing_there, false},
	{"copied", copied, false},
	{"executes", executes, false},
	{"many", many, false},
	{"signalled", signalled, false},
	{"by-number", by_number, false},
	X86_PROGRAMS{NULL, NULL, false},
};
