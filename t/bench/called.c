/* SPDX-License-Identifier: MIT */
/*
 * called N ROUNDS [strings]: ns of a call of a function in a library
 * (-DLIBRARY), or of one of libc with two strings of 16 bytes, and of reading
 * the clock that recorders read; the best of so many rounds of N.  Compiled and
 * traced by t/bench/library.
 */
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <time.h>

#include "t/bench/limit.h"

int called_leaf(int n);

#ifdef LIBRARY

/* With room for a jump (ptrace-run -f). */
int called_leaf(int n)
{
	__asm__ volatile("nop; nop; nop; nop; nop");
	return n + 1;
}

#else

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double calls(long nr)
{
	double begin = now();
	volatile int end;
	int n = 0;

	for (long i = 0; i < nr; i++)
		n = called_leaf(n);
	end = n;
	(void)end;
	return (now() - begin) / (double)nr;
}

static double strings(long nr)
{
	static const char one[] = "sixteen bytes ab",
			  other[] = "another sixteen.";
	double begin = now();
	volatile int end = 0;

	for (long i = 0; i < nr; i++)
		end = strcasecmp(one, other);
	(void)end;
	return (now() - begin) / (double)nr;
}

static double clocks(long nr)
{
	double begin = now();

	for (long i = 0; i < nr; i++)
		limit_counter();
	return (now() - begin) / (double)nr;
}

int main(int argc, char **argv)
{
	long nr = argc > 1 ? atol(argv[1]) : 1000000;
	long rounds = argc > 2 ? atol(argv[2]) : 10;
	double call = 1e12, clock = 1e12;

	while (rounds-- > 0) {
		double ns = argc > 3 ? strings(nr) : calls(nr);

		call = ns < call ? ns : call;
		ns = clocks(nr);
		clock = ns < clock ? ns : clock;
	}
	printf("%.2f\t%.2f\n", call, clock);
	return 0;
}

#endif
