/* SPDX-License-Identifier: MIT */
/*
 * For instrument.t, which compiles it in many ways, as C and as C++: functions
 * that count their own calls, and write the counts to the file that is the
 * first argument.  The second is a shared object, from instrumented-plugin.c.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOHOOK __attribute__((no_instrument_function))
#define ALONE __attribute__((noinline, noclone))
#define THREADS 8

#define FUNCTIONS(F) \
	F(main) F(leaf) F(fib) F(tail) F(early) F(jumper) F(handler) \
	F(worker) F(leaver) F(small) F(forks) F(vforks) F(thrower) F(catcher)

#define NUMBER(function) NR_##function,
enum { FUNCTIONS(NUMBER) NR };

/* How often it was called, and how often left without a return. */
static struct {
	const char *name;
	void *at;
	unsigned long calls, left;
} count[NR];
#define CALLED(function) \
	called(NR_##function, #function, (void *)(size_t)function)
#define LEAVES(function) leaves(NR_##function)

static volatile sig_atomic_t nr_alarms;
static jmp_buf jump;

static NOHOOK void called(int number, const char *name, void *at)
{
	count[number].name = name;
	count[number].at = at;
	__atomic_fetch_add(&count[number].calls, 1, __ATOMIC_RELAXED);
}

static NOHOOK void leaves(int number)
{
	__atomic_fetch_add(&count[number].left, 1, __ATOMIC_RELAXED);
}

static ALONE int leaf(int x)
{
	CALLED(leaf);
	return x + 1;
}

static ALONE int fib(int n)
{
	CALLED(fib);
	/* No loop can be made of this. */
	return n < 2 ? n : (fib(n - 1) + fib(n - 2)) % 10007;
}

static ALONE int tail(int x)
{
	CALLED(tail);
	return leaf(x);
}

__attribute__((constructor)) static void early(void)
{
	CALLED(early);
	leaf(1);
}

static ALONE void jumper(void)
{
	CALLED(jumper);
	LEAVES(jumper);
	longjmp(jump, 1);
}

static ALONE void handler(int signo)
{
	CALLED(handler);
	leaf(signo);
	nr_alarms++;
}

static ALONE void *worker(void *arg)
{
	CALLED(worker);
	for (int i = 0; i < 1000; i++)
		leaf(i);
	return arg;
}

#ifndef __cplusplus
static ALONE void *leaver(void *arg)
{
	CALLED(leaver);
	LEAVES(leaver);
	pthread_exit(arg);
}
#endif

static ALONE void *small(void *arg)
{
	CALLED(small);
	for (int i = 0; i < 5000; i++)
		leaf(i);
	return arg;
}

static NOHOOK void run_thread(void *(*start)(void *), size_t stack)
{
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	if (stack)
		pthread_attr_setstacksize(&attr, stack);
	if (pthread_create(&thread, &attr, start, NULL) == 0)
		pthread_join(thread, NULL);
}

static NOHOOK void run_threads(void)
{
	pthread_t thread[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, worker, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	run_thread(small, PTHREAD_STACK_MIN);
#ifndef __cplusplus
	run_thread(leaver, 0);
#endif
}

static NOHOOK void run_handlers(void)
{
	struct itimerval every = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};

	signal(SIGALRM, handler);
	for (int i = 0; i < 10; i++)
		raise(SIGALRM);
	setitimer(ITIMER_REAL, &every, NULL);
	while (nr_alarms < 50)
		for (volatile int i = 0; i < 5000; i++)
			if (i % 500 == 0)
				leaf(i);
	setitimer(ITIMER_REAL, &never, NULL);
}

static NOHOOK void write_counts(const char *path)
{
	FILE *file = fopen(path, "a");

	for (int i = 0; file && i < NR; i++)
		if (count[i].name)
			fprintf(file, "%s %p %lu %lu\n", count[i].name,
				count[i].at, count[i].calls,
				count[i].calls - count[i].left);
	if (file)
		fclose(file);
}

static ALONE void forks(const char *path)
{
	pid_t pid;

	CALLED(forks);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		memset(count, 0, sizeof(count));
		for (int i = 0; i < 10; i++)
			leaf(i);
		write_counts(path);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static ALONE void vforks(void)
{
	pid_t pid;

	CALLED(vforks);
	pid = vfork();
	if (pid == 0) {
		leaf(1);
		leaf(2);
		leaf(3);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

#ifdef __cplusplus

static ALONE void thrower(int x)
{
	CALLED(thrower);
	if (x)
		throw x;
}

static ALONE int catcher(void)
{
	CALLED(catcher);
	for (int i = 0; i < 100; i++) {
		try {
			thrower(i % 2);
		} catch (int x) {
			leaf(x);
		}
	}
	return 0;
}

#else

static ALONE int catcher(void)
{
	CALLED(catcher);
	return 0;
}

#endif

int main(int argc, char **argv)
{
	void *plugin = argc > 2 ? dlopen(argv[2], RTLD_NOW) : NULL;
	void (*run)(const char *);

	CALLED(main);
	printf("%d %d\n", fib(15), tail(1));
	if (setjmp(jump) == 0)
		jumper();
	run_threads();
	run_handlers();
	forks(argv[1]);
	vforks();
	printf("%d\n", catcher());
	*(void **)&run = plugin ? dlsym(plugin, "plugin_run") : NULL;
	if (run)
		run(argv[1]);
	/* This function goes on to return. */
	write_counts(argv[1]);
	return 3;
}
