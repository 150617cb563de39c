/* SPDX-License-Identifier: MIT */
/*
 * How much of a stack calls take: "NAME: BYTES", the most of the first and of
 * later calls of a thread, of which those with a handler have it on an
 * alternate stack.  With an argument it only lives on stacks as small as they
 * may be.
 */
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define STACK_SIZE (256 << 10)
#define PAINTED (64 << 10)
#define PAINT 0x5aa55aa55aa55aa5ul

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *alternate; /* there is nothing below */
static size_t in_handler;

static void call_plain(void)
{
	getppid();
}

static void call_io(void)
{
	close(-1);
}

static void call_file(void)
{
	close(open("/none/such", O_RDONLY));
}

static void call_lock(void)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
}

static void call_heap(void)
{
	void *volatile block = malloc(10);

	free(block);
}

static void call_signal(void)
{
	raise(SIGUSR1);
}

static const struct {
	const char *name;
	void (*call)(void);
} calls[] = {
	{"plain", call_plain}, {"io", call_io},	    {"file", call_file},
	{"lock", call_lock},   {"heap", call_heap}, {"handler", call_signal},
};
#define NR_CALLS (sizeof(calls) / sizeof(calls[0]))

/* What is below the caller's stack pointer is painted; how much of it is not
 * any more. */
static inline __attribute__((always_inline)) void paint(unsigned long *sp)
{
	for (unsigned long *at = sp - PAINTED / 8; at < sp; at++)
		*(volatile unsigned long *)at = PAINT;
}

static size_t depth(unsigned long *sp)
{
	unsigned long *at = sp - PAINTED / 8;

	while (at < sp && *at == PAINT)
		at++;
	return (size_t)(sp - at) * 8;
}

static __attribute__((noinline)) size_t measure(void (*call)(void))
{
	unsigned long *sp;

	__asm__ volatile("movq %%rsp, %0" : "=r"(sp));
	sp -= 16;
	paint(sp);
	call();
	return depth(sp);
}

/* The stack was painted before: what is touched below the frame of the kernel's
 * is the recorder's. */
static void handler(int signo, siginfo_t *info, void *context)
{
	unsigned long *at = (unsigned long *)alternate;

	(void)signo;
	while (*at == PAINT)
		at++;
	in_handler = (size_t)((char *)context - (char *)at);
	(void)info;
}

static void *run(void *arg)
{
	stack_t ss = {.ss_sp = alternate, .ss_size = STACK_SIZE};
	size_t i = (size_t)arg, most = 0;

	for (int round = 0; round < 3; round++) {
		size_t now;

		for (size_t k = 0; k < STACK_SIZE / 8; k++)
			((unsigned long *)alternate)[k] = PAINT;
		sigaltstack(&ss, NULL);
		now = measure(calls[i].call);
		if (calls[i].call == call_signal)
			now = in_handler;
		most = now > most ? now : most;
	}
	return (void *)most;
}

static void small_handler(int signo)
{
	(void)signo;
	for (size_t i = 0; i + 1 < NR_CALLS; i++)
		calls[i].call();
}

static void *run_small(void *arg)
{
	stack_t ss = {.ss_sp = alternate, .ss_size = 8192};

	small_handler(0);
	raise(SIGUSR2);
	sigaltstack(&ss, NULL);
	raise(SIGUSR1);
	small_handler(0);
	return arg;
}

static void live_small(void)
{
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, (size_t)PTHREAD_STACK_MIN);
	for (int i = 0; i < 20; i++) {
		if (pthread_create(&thread, &attr, run_small, NULL) != 0)
			exit(1);
		pthread_join(thread, NULL);
	}
}

int main(int argc, char **argv)
{
	struct sigaction on_alternate = {.sa_sigaction = handler,
					 .sa_flags = SA_SIGINFO | SA_ONSTACK};
	struct sigaction small = {.sa_handler = small_handler,
				  .sa_flags = SA_ONSTACK};
	static char stack[STACK_SIZE] __attribute__((aligned(4096)));
	pthread_attr_t attr;

	(void)argv;
	alternate = mmap(NULL, 4096 + STACK_SIZE, PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (alternate == MAP_FAILED)
		return 1;
	alternate += 4096;
	mprotect(alternate, STACK_SIZE, PROT_READ | PROT_WRITE);
	if (argc > 1) {
		sigaction(SIGUSR1, &small, NULL);
		small.sa_flags = 0;
		sigaction(SIGUSR2, &small, NULL);
		live_small();
		puts("lived");
		return 0;
	}
	sigaction(SIGUSR1, &on_alternate, NULL);
	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, stack, sizeof(stack));
	for (size_t i = 0; i < NR_CALLS; i++) {
		pthread_t thread;
		void *most;

		if (pthread_create(&thread, &attr, run, (void *)i) != 0)
			return 1;
		pthread_join(thread, &most);
		printf("%s: %zu\n", calls[i].name, (size_t)most);
	}
	return 0;
}
