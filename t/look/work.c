/* SPDX-License-Identifier: MIT */
/* work write|lock|allocate|compute|crash: what t/look/beside asks tools about. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t big = PTHREAD_MUTEX_INITIALIZER;
static char *kept[200];

static void say(const char *path, int times)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);

	for (int i = 0; i < times; i++)
		if (write(fd, "a line of it\n", 13) < 0)
			exit(1);
	close(fd);
}

static void *worker(void *unused)
{
	const struct timespec pause = {0, 1000000};

	for (int i = 0; i < 20; i++) {
		pthread_mutex_lock(&big);
		nanosleep(&pause, NULL);
		pthread_mutex_unlock(&big);
	}
	return unused;
}

static void lock(void)
{
	pthread_t thread[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, worker, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
}

static char *parse(size_t size)
{
	return memset(malloc(size), 'x', size);
}

static void allocate(void)
{
	for (int i = 0; i < 200000; i++)
		free(parse(100));
	for (int i = 0; i < 200; i++)
		kept[i] = parse(10000);
}

static unsigned int __attribute__((noinline)) hash(unsigned int seed)
{
	for (int i = 0; i < 4000; i++)
		seed = seed * 1664525 + 1013904223;
	return seed;
}

/* The leaves of a tree, by recursion. */
static unsigned int __attribute__((noinline)) walk(int depth, unsigned int leaf)
{
	if (depth == 0)
		return hash(leaf);
	return walk(depth - 1, leaf * 2) + walk(depth - 1, leaf * 2 + 1);
}

static unsigned int __attribute__((noinline)) lookup(int times)
{
	unsigned int sum = 0;

	for (int i = 0; i < times; i++)
		sum += hash(sum);
	return sum;
}

static int compute(void)
{
	return (walk(10, 1) + lookup(9000)) == 0;
}

static int __attribute__((noinline)) divide(const int *by)
{
	return 100 / *by;
}

static int crash(void)
{
	static const int by[] = {5, 2, 1};
	const int *volatile none = NULL;
	char name[32];
	int sum = 0;

	for (int i = 0; i < 10; i++) {
		snprintf(name, sizeof(name), "step.%d", i);
		say(name, 1);
		sum += divide(i < 3 ? &by[i] : none);
	}
	return sum;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "write") == 0) {
		say("one", 3);
		say("two", 1000);
	} else if (strcmp(what, "lock") == 0) {
		lock();
	} else if (strcmp(what, "allocate") == 0) {
		allocate();
	} else if (strcmp(what, "compute") == 0) {
		return compute();
	} else if (strcmp(what, "crash") == 0) {
		return crash();
	}
	return 0;
}
