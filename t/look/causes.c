/* SPDX-License-Identifier: MIT */
/* For t/look/causes: time that is lost to others, to a lock, to pages of a
 * file, and to a disk. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define BLOCK 65536
#define BLOCKS 400

static pthread_mutex_t big = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static char block[BLOCK];
static volatile long sum;

static long spent(void)
{
	struct timespec at;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
	return at.tv_sec * 1000 + at.tv_nsec / 1000000;
}

static void *compute(void *arg)
{
	while (spent() < 300)
		for (int i = 0; i < 10000; i++)
			sum += i;
	return arg;
}

/* Three threads on one processor. */
static void others(void)
{
	pthread_t thread[3];
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, compute, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
}

static void *hold(void *arg)
{
	const struct timespec time = {0, 100000000};

	pthread_mutex_lock(&big);
	pthread_barrier_wait(&both);
	nanosleep(&time, NULL);
	pthread_mutex_unlock(&big);
	return arg;
}

static void __attribute__((noinline)) want(void)
{
	pthread_mutex_lock(&big);
	pthread_mutex_unlock(&big);
}

static void lock(void)
{
	pthread_t thread;

	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&thread, NULL, hold, NULL);
	pthread_barrier_wait(&both);
	want();
	pthread_join(thread, NULL);
}

static int make(void)
{
	int fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0600);

	for (int i = 0; i < BLOCKS; i++)
		write(fd, block, BLOCK);
	fsync(fd);
	return fd;
}

static void __attribute__((noinline)) look(const char *page)
{
	for (long at = 0; at < (long)BLOCK * BLOCKS; at += BLOCK)
		sum += page[at];
}

static void pages(void)
{
	int fd = make();
	char *page;

	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	page = mmap(NULL, (long)BLOCK * BLOCKS, PROT_READ, MAP_SHARED, fd, 0);
	madvise(page, (long)BLOCK * BLOCKS, MADV_RANDOM);
	look(page);
}

static void __attribute__((noinline)) store(int fd)
{
	for (int i = 0; i < 50; i++) {
		pwrite(fd, block, BLOCK, 0);
		fsync(fd);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "others") == 0)
		others();
	else if (strcmp(what, "lock") == 0)
		lock();
	else if (strcmp(what, "pages") == 0)
		pages();
	else if (strcmp(what, "disk") == 0)
		store(make());
	return 0;
}
