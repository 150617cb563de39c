/* SPDX-License-Identifier: MIT */
/*
 * victim-threads HOW: threads that end by return, exit, cancel; from C11; that
 * are many, small, or still there when the process ends.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

static void *by_return(void *arg)
{
	return (char *)arg + 1;
}

static void *by_exit(void *arg)
{
	pthread_exit((char *)arg + 2);
}

static void *by_cancel(void *arg)
{
	for (;;)
		pause();
	return arg;
}

static int by_c11(void *arg)
{
	return (int)(long)arg + 3;
}

static void *busy(void *arg)
{
	volatile unsigned long *count = arg;

	for (;;)
		++*count;
	return NULL;
}

static long run(void *(*fn)(void *), size_t stack, int cancel)
{
	pthread_attr_t attr;
	pthread_t id;
	void *ret = NULL;
	int error;

	pthread_attr_init(&attr);
	if (stack)
		pthread_attr_setstacksize(&attr, stack);
	error = pthread_create(&id, &attr, fn, (void *)100);
	if (error)
		return -error;
	if (cancel)
		pthread_cancel(id);
	pthread_join(id, &ret);
	return (long)ret;
}

static void leave_busy_threads(void)
{
	static volatile unsigned long counts[8];
	pthread_t id;

	for (int i = 0; i < 8; i++)
		pthread_create(&id, NULL, busy, (void *)&counts[i]);
	while (!counts[7])
		usleep(100);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "kinds";
	thrd_t id;
	int ret = 0;
	long sum = 0;

	if (strcmp(how, "kinds") == 0) {
		printf("return %ld\n", run(by_return, 0, 0));
		printf("exit %ld\n", run(by_exit, 0, 0));
		printf("cancel %ld\n", run(by_cancel, 0, 1));
		printf("small %ld\n", run(by_return, 16384, 0));
		if (thrd_create(&id, by_c11, (void *)200) == thrd_success)
			thrd_join(id, &ret);
		printf("c11 %d\n", ret);
		printf("no stack %ld\n", run(by_return, 1ul << 50, 0));
	} else if (strcmp(how, "many") == 0) {
		for (int i = 0; i < 1000; i++)
			sum += run(by_return, 0, 0);
		printf("sum %ld\n", sum);
	} else {
		leave_busy_threads();
		printf("leaving\n");
	}
	return 3;
}
