/* SPDX-License-Identifier: MIT */
/* For t/bench/calls: prints the ns of a call, the best of many rounds. */
#include <stdio.h>
#include <time.h>

#define CALLS 2000
#define ROUNDS 3000

__attribute__((noinline, noclone)) static void leaf(void)
{
	__asm__ volatile("");
}

__attribute__((no_instrument_function)) static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

int main(void)
{
	double best = 1e9;

	for (int i = 0; i < ROUNDS; i++) {
		double begin = now(), each;

		for (int j = 0; j < CALLS; j++)
			leaf();
		each = (now() - begin) / CALLS;
		best = each < best ? each : best;
	}
	printf("%.2f\n", best);
	return 0;
}
