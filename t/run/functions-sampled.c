/* SPDX-License-Identifier: MIT */
/* A handler that comes at any time sees all callers of what it has interrupted:
 * prints for how many it did not, which is none, and not how often it came. */
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#define KEPT __attribute__((noinline, noclone))
#define DEEP 64
#define USEC 700

static volatile long nr, nr_cut;
static void *first; /* that called main() */

KEPT static long leaf(long n)
{
	return n * 3 + 1;
}

KEPT static long middle(long n)
{
	long sum = leaf(n) + leaf(n + 1);

	return sum & 0xff;
}

KEPT static long jumps(long n)
{
	return n & 1 ? leaf(n) : middle(n);
}

KEPT static long fills(long n)
{
	volatile char bytes[DEEP];

	memset((char *)bytes, (int)n, sizeof(bytes));
	return bytes[n % DEEP] + middle(n);
}

static void handler(int sig)
{
	void *frame[DEEP];
	int depth = backtrace(frame, DEEP);

	(void)sig;
	nr = nr + 1;
	for (int i = 0; i < depth; i++)
		if (frame[i] == first)
			return;
	nr_cut = nr_cut + 1;
}

int main(void)
{
	struct itimerval every = {{0, USEC}, {0, USEC}}, never = {{0, 0}};
	struct sigaction action = {.sa_flags = SA_RESTART};
	void *frame[DEEP];
	long sum = 0;

	action.sa_handler = handler;
	first = frame[backtrace(frame, DEEP) - 1];
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	/* As long as it takes until it has come a few times. */
	for (long i = 0; i < 5000 || nr < 20; i++)
		sum += jumps(i) + fills(i);
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%d, %ld cut\n", sum > 0, nr_cut);
	return 5;
}
