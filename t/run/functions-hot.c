/* SPDX-License-Identifier: MIT */
/*
 * For t/run/functions-hot.t: threads call often() until there is input, or its
 * end; and what is called a few times in between.  Prints how often each was.
 * An argument: so many threads, 0: one, while the first waits; and the second:
 * a child calls often() then.
 */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST 8
#define ROUND 1000

__attribute__((noinline, noclone)) long often(long n)
{
	__asm__ volatile("" : "+r"(n));
	return n + 1;
}

__attribute__((noinline, noclone)) int deep(int n)
{
	int below = n > 0 ? deep(n - 1) : 0;

	__asm__ volatile("" : "+r"(below));
	return below + 1;
}

__attribute__((noinline, noclone)) long seldom(long n)
{
	__asm__ volatile("nop; nop; nop" : "+r"(n));
	return n + 1;
}

static int is_over(int wait_ms)
{
	struct pollfd input = {.fd = 0, .events = POLLIN};

	return poll(&input, 1, wait_ms) != 0;
}

static void *calls(void *arg)
{
	long *nr = arg;

	do {
		for (int i = 0; i < ROUND; i++)
			*nr = often(*nr);
		*nr += deep(ROUND - 1);
	} while (!is_over(0));
	return NULL;
}

int main(int argc, char **argv)
{
	int nr = argc > 1 ? atoi(argv[1]) : 1, status = 0;
	long called[MOST] = {0}, all = 0, some = seldom(1);
	pthread_t thread[MOST];

	for (int i = 1; i < nr && i < MOST; i++)
		pthread_create(&thread[i], NULL, calls, &called[i]);
	if (nr == 0)
		pthread_create(&thread[1], NULL, calls, &called[1]);
	if (nr == 0)
		is_over(-1);
	else
		calls(&called[0]);
	if (nr == 0)
		pthread_join(thread[1], NULL);
	for (int i = 1; i < nr && i < MOST; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < MOST; i++)
		all += called[i];
	fflush(stdout);
	if (argc > 2 && fork() == 0) {
		for (int i = 0; i < ROUND; i++)
			some = often(some);
		_exit(some == ROUND + 2 ? 7 : 1);
	} else if (argc > 2) {
		wait(&status);
	}
	some += seldom(2);
	printf("%ld %ld %d\n", all / 2, some, WEXITSTATUS(status));
	return 3;
}
