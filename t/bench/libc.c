/* SPDX-License-Identifier: MIT */
/*
 * libc WHAT [ROUNDS]: prints the ns that a call of libc takes, the best of many
 * rounds: lock (and unlock), read (of /dev/null), malloc (and free), snooze (a
 * poll of nothing).
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CALLS 1000
#define ROUNDS 3000

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int null;

static void lock(void)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
}

static void look(void)
{
	char byte;

	if (read(null, &byte, 1) != 0)
		abort();
}

static void allocate(void)
{
	void *p = malloc(64);

	__asm__ volatile("" : "+r"(p));
	free(p);
}

static void snooze(void)
{
	poll(NULL, 0, 0);
}

static void *nothing(void *arg)
{
	return arg;
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*call)(void);
	} calls[] = {
		{"lock", lock},
		{"read", look},
		{"malloc", allocate},
		{"snooze", snooze},
	};
	void (*call)(void) = lock;
	int rounds = argc > 2 ? atoi(argv[2]) : ROUNDS;
	double best = 1e9;
	pthread_t thread;

	for (size_t i = 0; argc > 1 && i < sizeof(calls) / sizeof(*calls); i++)
		if (strcmp(argv[1], calls[i].name) == 0)
			call = calls[i].call;
	null = open("/dev/null", O_RDONLY);
	/* While there has been one thread only, locks are cheaper. */
	pthread_create(&thread, NULL, nothing, NULL);
	pthread_join(thread, NULL);
	for (int i = 0; i < rounds; i++) {
		double begin = now(), each;

		for (int j = 0; j < CALLS; j++)
			call();
		each = (now() - begin) / CALLS;
		best = each < best ? each : best;
	}
	printf("%.1f\n", best);
	return 0;
}
