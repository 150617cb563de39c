/* SPDX-License-Identifier: MIT */
/* One thread at a time holds the lock. */
#include "core/sys/lock.h"

#include "t/lib/tap.h"

#include <pthread.h>

#define NR_THREADS 8
#define NR_TURNS 20000

/*
 * Protects: count.
 * Nests inside: nothing.
 * Signals: blocked while held.
 */
static struct ptl_lock lock = PTL_LOCK_INIT;
static unsigned long count;

static void *add(void *arg)
{
	struct ptl_lock_mask mask;

	for (int i = 0; i < NR_TURNS; i++) {
		ptl_lock(&lock, &mask);
		count++;
		ptl_unlock(&lock, &mask);
	}
	return arg;
}

int main(void)
{
	pthread_t thread[NR_THREADS];

	plan(2);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_create(&thread[i], NULL, add, NULL);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(thread[i], NULL);
	is_int((long long)count, NR_THREADS * NR_TURNS, "no count is lost");
	is_int(lock.word, 0, "the lock is free");
	return done();
}
