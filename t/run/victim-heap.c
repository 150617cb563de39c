/* SPDX-License-Identifier: MIT */
/*
 * Allocates 30 bytes that are never freed; 10000 bytes at once, which are
 * freed; 25000 bytes one after the other; and 20 bytes more.
 */
#include <stdlib.h>

#define FAR __attribute__((noinline, noclone))

static void *volatile kept;

FAR static void *leaks(void)
{
	kept = malloc(10);
	return kept;
}

FAR static void *large(void)
{
	kept = malloc(1000);
	return kept;
}

FAR static void *small(void)
{
	kept = malloc(500);
	return kept;
}

int main(void)
{
	void *block[10];

	for (int i = 0; i < 3; i++)
		leaks();
	for (int i = 0; i < 10; i++)
		block[i] = large();
	for (int i = 0; i < 10; i++)
		free(block[i]);
	for (int i = 0; i < 50; i++)
		free(small());
	for (int i = 0; i < 2; i++)
		leaks();
	return 0;
}
