/* SPDX-License-Identifier: MIT */
/*
 * Ways to crash: crash-kinds NAME, or without a name their list.  Its output
 * must be the same traced and not: what it says of handlers and alternate
 * stacks is part of that.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static volatile int zero;
static volatile char *volatile null;
static pthread_barrier_t barrier;

static void say(const char *format, long a, long b)
{
	printf(format, a, b);
	fflush(stdout);
}

static void fault(void)
{
	*null = 1;
}

static int deep(int n)
{
	volatile char frame[4096];

	memset((char *)frame, n, sizeof(frame));
	return deep(n + 1) + frame[3];
}

static void wait_for_end(void)
{
	for (;;)
		pause();
}

static void *in_thread(void *function)
{
	((void (*)(void))function)();
	return NULL;
}

static void thread(void (*function)(void))
{
	pthread_t id;

	pthread_create(&id, NULL, in_thread, (void *)function);
	wait_for_end();
}

/* Says how a child ends. */
static void child(pid_t pid)
{
	int status;

	waitpid(pid, &status, 0);
	say("child %#lx%c", status & 0x7f, '\n');
}

static void say_signal(int signo)
{
	struct sigaction old;

	sigaction(signo, NULL, &old);
	say("default %ld flags %#lx", old.sa_handler == SIG_DFL, old.sa_flags);
	say(" mask %ld %ld\n", sigismember(&old.sa_mask, SIGUSR1),
	    sigismember(&old.sa_mask, SIGUSR2));
}

static void say_stack(void)
{
	stack_t old = {0};

	say("sigaltstack %ld", sigaltstack(NULL, &old), 0);
	say(" flags %#lx size %ld", old.ss_flags, (long)old.ss_size);
	say(" null %ld\n", old.ss_sp == NULL, 0);
}

static void overflow(void)
{
	deep(0);
}

static void trap(void)
{
#if defined(__x86_64__)
	__asm__ volatile("int3");
#else
	__asm__ volatile("brk #0");
#endif
}

static void illegal(void)
{
#if defined(__x86_64__)
	__asm__ volatile("ud2");
#else
	__asm__ volatile("udf #0");
#endif
}

static void divide(void)
{
#if defined(__x86_64__)
	zero = 7 / zero;
#else
	raise(SIGFPE);
#endif
}

static void check(void)
{
	assert(zero);
}

static void twice(void)
{
	void *volatile block = malloc(24);

	free(block);
	free(block);
}

static void bus(void)
{
	FILE *file = tmpfile();
	volatile char *map = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				  MAP_SHARED, fileno(file), 0);

	*map = 1;
}

static void read_only(void)
{
	volatile char *map =
		mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	*map = 1;
}

static void nowhere(void)
{
	((void (*)(void))(uintptr_t)null)();
}

static void not_canonical(void)
{
	*(volatile char *)UINT64_C(0x8000000000001234) = 1;
}

static void kill_self(void)
{
	kill(getpid(), SIGSEGV);
	wait_for_end();
}

static void raise_bus(void)
{
	raise(SIGBUS);
}

static void tgkill_sys(void)
{
	syscall(SYS_tgkill, getpid(), gettid(), SIGSYS);
}

static void queued(void)
{
	sigqueue(getpid(), SIGABRT, (union sigval){.sival_int = 7});
	wait_for_end();
}

static void vfork_child(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		fault();
		_exit(3);
	}
	child(pid);
}

static void vfork_both(void)
{
	vfork_child();
	fault();
}

static void vfork_default(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		signal(SIGSEGV, SIG_DFL);
		fault();
		_exit(3);
	}
	child(pid);
	say_signal(SIGSEGV);
	fault();
}

static void fork_child(void)
{
	pid_t pid = fork();

	if (pid == 0)
		fault();
	child(pid);
}

static void killed_child(void)
{
	int ready[2];
	char byte;
	pid_t pid;

	if (pipe(ready) != 0)
		return;
	pid = fork();
	if (pid == 0) {
		if (write(ready[1], "", 1) == 1)
			wait_for_end();
		_exit(3);
	}
	if (read(ready[0], &byte, 1) == 1)
		kill(pid, SIGSEGV);
	child(pid);
}

static void executed(void)
{
	say_signal(SIGSEGV);
	execl("/bin/sh", "sh", "-c", "kill -SEGV $$", (char *)NULL);
}

static void undumpable(void)
{
	prctl(PR_SET_DUMPABLE, 0);
	fault();
}

static void block(int signo)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, signo);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static void blocked(void)
{
	block(SIGSEGV);
	fault();
}

static void blocked_abort(void)
{
	block(SIGABRT);
	abort();
}

/* The signal comes only while it waits. */
static void suspended(void)
{
	sigset_t none;

	block(SIGBUS);
	sigemptyset(&none);
	raise(SIGBUS);
	sigsuspend(&none);
	say("survived %ld %ld\n", 0, 0);
}

static void ignored(void)
{
	signal(SIGSEGV, SIG_IGN);
	fault();
}

static void default_again(void)
{
	struct sigaction action = {.sa_handler = SIG_DFL,
				   .sa_flags = SA_RESTART | SA_NODEFER};

	sigaddset(&action.sa_mask, SIGUSR2);
	say_signal(SIGSEGV);
	sigaction(SIGSEGV, &action, NULL);
	say_signal(SIGSEGV);
	say("old %ld", signal(SIGSEGV, SIG_IGN) == SIG_DFL, 0);
	say(" %ld\n", signal(SIGSEGV, SIG_DFL) == SIG_IGN, 0);
	say_signal(SIGSEGV);
	fault();
}

static void own_default(int signo)
{
	(void)signo;
	(void)!write(1, "handler\n", 8);
	signal(SIGSEGV, SIG_DFL);
}

static void own_handler(void)
{
	say("old %ld %ld\n", signal(SIGSEGV, own_default) == SIG_DFL, 0);
	fault();
}

static void own_once(void)
{
	struct sigaction action = {.sa_handler = own_default,
				   .sa_flags = SA_RESETHAND};

	sigaction(SIGSEGV, &action, NULL);
	fault();
}

static sigjmp_buf back;

static void jump(int signo)
{
	siglongjmp(back, signo);
}

static void own_jump(void)
{
	if (sigsetjmp(back, 1) == 0) {
		signal(SIGSEGV, jump);
		fault();
	}
	say("back %ld %ld\n", 0, 0);
	abort();
}

/* In the handler of another signal, on a stack of the program's. */
static void nested_fault(int signo)
{
	(void)signo;
	fault();
}

static void in_handler(void)
{
	static char memory[65536];
	stack_t stack = {.ss_sp = memory, .ss_size = sizeof(memory)};
	struct sigaction action = {.sa_handler = nested_fault,
				   .sa_flags = SA_ONSTACK};

	sigaltstack(&stack, NULL);
	say_stack();
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
}

static void alternate(void)
{
	static char memory[65536];
	stack_t stack = {.ss_sp = memory, .ss_size = sizeof(memory)},
		none = {.ss_flags = SS_DISABLE}, old;

	say_stack();
	sigaltstack(&stack, &old);
	say("old %#lx %ld\n", old.ss_flags, old.ss_sp == NULL);
	say_stack();
	sigaltstack(&none, &old);
	say("old %#lx %ld\n", old.ss_flags, old.ss_sp == memory);
	say_stack();
	say("bad %ld", sigaltstack((stack_t *)8, NULL), 0);
	say(" %ld\n", errno, 0);
	overflow();
}

static void strict(void)
{
	prctl(PR_SET_SECCOMP, 1);
	fault();
}

static void together(void)
{
	pthread_barrier_wait(&barrier);
	fault();
}

static void two_threads(void)
{
	pthread_t id;

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&id, NULL, in_thread, (void *)together);
	together();
}

/* A stack that is none. */
static void lost_stack(void)
{
#if defined(__x86_64__)
	__asm__ volatile("xorl %%esp, %%esp\n\tpushq %%rax" ::: "memory");
#else
	fault();
#endif
}

static void thread_fault(void)
{
	thread(fault);
}

static void thread_overflow(void)
{
	thread(overflow);
}

static void thread_abort(void)
{
	thread(abort);
}

static void no_crash(void)
{
	say_signal(SIGSEGV);
	say_stack();
	_exit(7);
}

static const struct kind {
	const char *name;
	void (*crash)(void);
} kinds[] = {
	{"null", fault},
	{"abort", abort},
	{"overflow", overflow},
	{"divide", divide},
	{"illegal", illegal},
	{"assert", check},
	{"kill", kill_self},
	{"raise", raise_bus},
	{"tgkill", tgkill_sys},
	{"sigqueue", queued},
	{"bus", bus},
	{"read-only", read_only},
	{"thread", thread_fault},
	{"thread-overflow", thread_overflow},
	{"thread-abort", thread_abort},
	{"two-threads", two_threads},
	{"vfork", vfork_child},
	{"vfork-both", vfork_both},
	{"vfork-default", vfork_default},
	{"fork", fork_child},
	{"killed-child", killed_child},
	{"exec", executed},
	{"double-free", twice},
	{"undumpable", undumpable},
	{"blocked", blocked},
	{"blocked-abort", blocked_abort},
	{"suspended", suspended},
	{"trap", trap},
	{"nowhere", nowhere},
	{"not-canonical", not_canonical},
	{"ignored", ignored},
	{"default-again", default_again},
	{"own-handler", own_handler},
	{"own-once", own_once},
	{"own-jump", own_jump},
	{"in-handler", in_handler},
	{"sigaltstack", alternate},
	{"strict", strict},
	{"lost-stack", lost_stack},
	{"none", no_crash},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (argc < 2)
			puts(kinds[i].name);
		else if (strcmp(kinds[i].name, argv[1]) == 0)
			kinds[i].crash();
	return 0;
}
