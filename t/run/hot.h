/* SPDX-License-Identifier: MIT */
/* For the tests of samples: of the time that both() takes twice() has two
 * thirds. */

/* Of each thread its own: one that waits for the other's cache takes longer. */
static _Thread_local volatile unsigned long sum;

#define HOT(name) \
	__attribute__((noinline)) static void name(unsigned long n) \
	{ \
		for (unsigned long i = 0; i < n; i++) \
			sum += i ^ sum << 1; \
	}
HOT(twice)
HOT(once)

__attribute__((noinline)) static void both(unsigned long n)
{
	twice(2 * n);
	once(n);
	sum++;
}
