/* SPDX-License-Identifier: MIT */
/* Programs on small, foreign, changing and crooked stacks. */
#include "t/table/table.h"

#include <alloca.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static volatile int count;

static void tick(int sig)
{
	(void)sig;
	getppid();
	kill(getpid(), 0);
	count++;
}

static void call_some(void)
{
	char text[64];

	getppid();
	raise(0);
	free(malloc(100));
	snprintf(text, sizeof(text), "%d", 42);
	setenv("TABLE", text, 1);
	say("%s", text);
}

static void *some(void *arg)
{
	call_some();
	return arg;
}

static void on_small_stack(void *(*fn)(void *))
{
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, (size_t)PTHREAD_STACK_MIN);
	if (pthread_create(&thread, &attr, fn, NULL) != 0)
		exit(1);
	pthread_join(thread, NULL);
}

static int small_thread(void)
{
	for (int i = 0; i < 3; i++)
		on_small_stack(some);
	return 0;
}

static void *raise_some(void *arg)
{
	raise(SIGUSR1);
	return arg;
}

static int small_thread_handler(void)
{
	on_signal(SIGUSR1, tick);
	on_small_stack(raise_some);
	say("count: %d", count);
	return 0;
}

static void *fork_some(void *arg)
{
	pid_t pid = fork();

	if (pid == 0) {
		call_some();
		_exit(3);
	}
	say_end("child", pid);
	pid = vfork();
	if (pid == 0) {
		execl("/bin/true", "true", (char *)NULL);
		_exit(1);
	}
	say_end("vfork", pid);
	return arg;
}

static int small_thread_forks(void)
{
	on_small_stack(fork_some);
	return 0;
}

static void *start_some(void *arg)
{
	pthread_t thread;

	pthread_create(&thread, NULL, some, NULL);
	pthread_join(thread, NULL);
	say_status("system", system("exit 3"));
	return arg;
}

static int small_thread_starts(void)
{
	on_small_stack(start_some);
	return 0;
}

static void use_alternate(size_t size)
{
	struct sigaction action = {.sa_handler = tick};
	stack_t stack = {0};

	stack.ss_sp = malloc(size);
	stack.ss_size = size;
	sigaltstack(&stack, NULL);
	action.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR1, &action, NULL);
}

/* What the kernel needs, and what the handler itself may use: 2 KiB. */
static int smallest_alternate(void)
{
	use_alternate(getauxval(AT_MINSIGSTKSZ) + 2048);
	for (int i = 0; i < 5; i++)
		raise(SIGUSR1);
	say("count: %d", count);
	return 0;
}

static int alternate_8k(void)
{
	use_alternate(8192);
	for (int i = 0; i < 5; i++)
		raise(SIGUSR1);
	say("count: %d", count);
	return 0;
}

static sigjmp_buf back;

static void overflown(int sig)
{
	siglongjmp(back, sig);
}

static int sink;

__attribute__((noinline)) static int recurse(int n)
{
	volatile char room[512];

	room[0] = (char)n;
	sink += getppid() > 0;
	return n < 0 ? 0 : recurse(n + 1) + room[0];
}

static int overflow(void)
{
	struct rlimit limit = {256 * 1024, 256 * 1024};
	volatile int nr = 0;

	setrlimit(RLIMIT_STACK, &limit);
	use_alternate(65536);
	struct sigaction action = {.sa_handler = overflown};
	action.sa_flags = SA_ONSTACK;
	sigaction(SIGSEGV, &action, NULL);
	for (int i = 0; i < 3; i++) {
		if (sigsetjmp(back, 1) == 0)
			sink += recurse(0);
		else
			nr++;
	}
	say("overflows: %d", nr);
	call_some();
	return 0;
}

static int overflow_unhandled(void)
{
	struct rlimit limit = {256 * 1024, 256 * 1024};

	setrlimit(RLIMIT_STACK, &limit);
	return recurse(0);
}

static ucontext_t home, other[2];

static void routine(int n)
{
	for (int i = 0; i < 5; i++) {
		say("routine %d: %d", n, i);
		call_some();
		if (i == 2)
			raise(SIGUSR1);
		swapcontext(&other[n], n == 0 ? &other[1] : &other[0]);
	}
}

static int contexts(void)
{
	on_signal(SIGUSR1, tick);
	for (int i = 0; i < 2; i++) {
		getcontext(&other[i]);
		other[i].uc_stack.ss_sp = malloc(65536);
		other[i].uc_stack.ss_size = 65536;
		other[i].uc_link = &home;
		makecontext(&other[i], (void (*)(void))routine, 1, i);
	}
	swapcontext(&home, &other[0]);
	say("home, count: %d", count);
	return 0;
}

static void *visit(void *arg)
{
	pthread_mutex_lock(arg);
	swapcontext(&home, &other[0]);
	pthread_mutex_unlock(arg);
	return NULL;
}

static void wander(void)
{
	for (int i = 0;; i++) {
		say("step %d", i);
		getppid();
		swapcontext(&other[0], &home);
	}
}

/* One context that goes on in a thread after the other. */
static int wandering(void)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	getcontext(&other[0]);
	other[0].uc_stack.ss_sp = malloc(65536);
	other[0].uc_stack.ss_size = 65536;
	makecontext(&other[0], wander, 0);
	for (int i = 0; i < 5; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, visit, &mutex);
		pthread_join(thread, NULL);
	}
	return 0;
}

static void on_context(void)
{
	getppid();
	raise(0);
	count++;
}

static int tiny_context(void)
{
	getcontext(&other[0]);
	other[0].uc_stack.ss_sp = malloc(8192);
	other[0].uc_stack.ss_size = 8192;
	other[0].uc_link = &home;
	makecontext(&other[0], on_context, 0);
	swapcontext(&home, &other[0]);
	say("count: %d", count);
	return 0;
}

#ifdef __x86_64__
/* Calls FN with a stack pointer that is 8 off from what the ABI says. */
static long call_crooked(long (*fn)(void))
{
	long result;

	__asm__ volatile("movq %%rsp, %%rbx\n\t"
			 "subq $256, %%rsp\n\t"
			 "andq $-16, %%rsp\n\t"
			 "subq $8, %%rsp\n\t"
			 "call *%1\n\t"
			 "movq %%rbx, %%rsp"
			 : "=a"(result)
			 : "r"(fn)
			 : "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10",
			   "r11", "memory", "cc");
	return result;
}

/* Made of instructions that do not care, as the bare functions of libc are. */
static long crooked_getppid(void)
{
	return getppid() > 0;
}

static long crooked_fork(void)
{
	pid_t pid = _Fork();

	if (pid == 0)
		_exit(4);
	return pid;
}

static long crooked_kill(void)
{
	return kill(getpid(), 0);
}

static long crooked_raise(void)
{
	return raise(SIGUSR1);
}

static int crooked(void)
{
	on_signal(SIGUSR1, tick);
	say("getppid: %ld", call_crooked(crooked_getppid));
	say("kill: %ld", call_crooked(crooked_kill));
	say("raise: %ld", call_crooked(crooked_raise));
	say_end("_Fork", (pid_t)call_crooked(crooked_fork));
	say("count: %d", count);
	return 0;
}

/*
 * A leaf with its data below the stack pointer, interrupted by handlers that
 * call functions that are recorded.
 */
static int red_zone(void)
{
	long sum = 0;

	on_signal(SIGUSR1, tick);
	for (int i = 0; i < 50; i++) {
		long got;

		__asm__ volatile("movq $1111, -8(%%rsp)\n\t"
				 "movq $2222, -64(%%rsp)\n\t"
				 "movq $3333, -120(%%rsp)\n\t"
				 "movl %2, %%edi\n\t"
				 "movl %3, %%esi\n\t"
				 "movl %4, %%eax\n\t"
				 "syscall\n\t"
				 "movq -8(%%rsp), %0\n\t"
				 "addq -64(%%rsp), %0\n\t"
				 "addq -120(%%rsp), %0"
				 : "=&r"(got)
				 : "0"(0L), "r"(getpid()), "i"(SIGUSR1),
				   "i"(SYS_kill)
				 : "rax", "rdi", "rsi", "rcx", "r11", "memory");
		sum += got == 6666;
	}
	say("kept: %ld, count: %d", sum, count);
	return 0;
}
#endif

static void *deep(void *arg)
{
	char *room = alloca(100000);

	memset(room, 1, 100000);
	getppid();
	return arg;
}

static int large_frames(void)
{
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 131072);
	for (int i = 0; i < 5; i++) {
		pthread_create(&thread, &attr, deep, NULL);
		pthread_join(thread, NULL);
	}
	say("done");
	return 0;
}

const struct program stack_programs[] = {
	{"small-thread", small_thread, false},
	{"small-thread-handler", small_thread_handler, false},
	{"small-thread-forks", small_thread_forks, false},
	{"small-thread-starts", small_thread_starts, false},
	{"smallest-alternate", smallest_alternate, false},
	{"alternate-8k", alternate_8k, false},
	{"overflow", overflow, false},
	{"overflow-unhandled", overflow_unhandled, false},
	{"contexts", contexts, false},
	{"wandering-context", wandering, false},
	{"tiny-context", tiny_context, false},
#ifdef __x86_64__
	{"crooked", crooked, false},
	{"red-zone", red_zone, false},
#endif
	{"large-frames", large_frames, false},
	{NULL, NULL, false},
};
