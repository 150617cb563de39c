/* SPDX-License-Identifier: MIT */
/* A program with a malloc of its own, as of those linked with jemalloc. */
#include <stddef.h>

static char pool[1 << 20];
static size_t at;

void *malloc(size_t size)
{
	void *block = pool + at;

	at += (size + 31) / 16 * 16;
	return block;
}

void free(void *block)
{
	static volatile int freed[2];

	freed[block != NULL]++;
	freed[0] += freed[1];
}

int main(void)
{
	for (int i = 0; i < 10; i++)
		free(malloc(10));
	return 0;
}
