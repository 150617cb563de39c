/* SPDX-License-Identifier: MIT */
/*
 * For stack.t, which compiles it in many ways, as C and as C++: records events
 * on stacks of all kinds.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define TRACE_WEAK
#include <trace.h>

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

/* Nothing is merged, and no call becomes a jump. */
#define ALONE extern "C" __attribute__((noinline, noclone))
#ifndef __cplusplus
#undef ALONE
#define ALONE __attribute__((noinline, noclone))
#endif
#define STAYS() __asm__ volatile("" ::: "memory")

#ifdef __cplusplus
extern "C" {
#endif
void inner(const char *name);
void middle(const char *name, double x);
void outer(const char *name);
void recurse(const char *name, int depth);
void handler(int signo);
void *thread(void *arg);
void coroutine(void);
void catcher(void);
void spawner(void);
#ifdef __cplusplus
}
#endif

static ucontext_t back, there;
static double sum;

ALONE void inner(const char *name)
{
	trace_event_id_t id;

	posix_trace_eventid_open(name, &id);
	posix_trace_event(id, "x", 1);
	STAYS();
}

ALONE void middle(const char *name, double x)
{
	double part[20];

	for (int i = 0; i < 20; i++)
		part[i] = x * i;
	inner(name);
	for (int i = 0; i < 20; i++)
		sum += part[i];
}

ALONE void outer(const char *name)
{
	/* A frame whose size only it knows. */
	char *room = (char *)__builtin_alloca((size_t)(getpid() % 64 + 1));

	room[0] = *name;
	middle(room[0] ? name : "", 1.5);
	STAYS();
}

ALONE void recurse(const char *name, int depth)
{
	if (depth > 0)
		recurse(name, depth - 1);
	else
		inner(name);
	STAYS();
}

ALONE void handler(int signo)
{
	outer(signo == SIGUSR1 ? "handler" : "alternate");
	STAYS();
}

ALONE void *thread(void *arg)
{
	outer("thread");
	STAYS();
	return arg;
}

ALONE void coroutine(void)
{
	outer("coroutine");
	STAYS();
}

ALONE void catcher(void)
{
#ifdef __cplusplus
	struct unwound {
		~unwound() { outer("unwound"); }
	};

	try {
		unwound here;

		throw 1;
	} catch (int) {
		outer("caught");
	}
#endif
	STAYS();
}

ALONE void spawner(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	pid = vfork();
	if (pid == 0) {
		execl("/nonexistent", "x", (char *)0);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	STAYS();
}

int main(void)
{
	size_t size = 64 << 10;
	char *stacks = (char *)mmap(NULL, 2 * size, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct sigaction action = {};
	stack_t ss = {};
	pthread_attr_t attr;
	pthread_t other;

	outer("plain");
	recurse("deep", 1000);
	action.sa_handler = handler;
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	ss.ss_sp = stacks;
	ss.ss_size = size;
	sigaltstack(&ss, NULL);
	action.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR2, &action, NULL);
	raise(SIGUSR2);

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN);
	pthread_create(&other, &attr, thread, NULL);
	pthread_join(other, NULL);

	getcontext(&there);
	there.uc_stack.ss_sp = stacks + size;
	there.uc_stack.ss_size = size;
	there.uc_link = &back;
	makecontext(&there, coroutine, 0);
	swapcontext(&back, &there);

	catcher();
	spawner();
	printf("%.1f\n", sum);
	return 0;
}
