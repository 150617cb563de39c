/* SPDX-License-Identifier: MIT */
/* Functions that are given structures, for t/run/functions-structures.t. */
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone))
/* A caller stores all of what it points to. */
#define READ(it) __asm__ volatile("" : : "r"(it) : "memory")

enum shade { DARK = -1, GREY, BRIGHT = 200 };
union either {
	int number;
	float real;
	char text[8];
};
struct part {
	short a;
	signed char b;
	bool is_it;
};
struct pair {
	double x, y;
};
struct whole {
	enum shade shade;
	struct part part;
	unsigned int low : 3, high : 5;
	int sign : 4;
	enum shade of : 9;
	long many[3];
	char name[12];
	struct pair pairs[2];
	union either either;
	const char *text;
	struct whole *next;
};
struct array {
	long all[4];
	int nr;
};
struct dense {
	char name[8];
	unsigned char bytes[4];
	int flag : 1, rest : 7;
};
struct huge {
	int before;
	char bytes[4000];
};

KEPT int points(const struct whole *all, struct whole *none, struct whole *wild)
{
	READ(all);
	return (int)all->many[0] + !none + !wild;
}

KEPT struct array by_value(int n, struct array array, int behind)
{
	array.all[0] += n + behind;
	return array;
}

KEPT int on_stack(int a, int b, int c, int d, int e, int f, int g,
		  struct array array, int h)
{
	return a + b + c + d + e + f + g + h + array.nr;
}

KEPT int in_registers(struct dense dense)
{
	return dense.flag + dense.bytes[1];
}

KEPT struct whole *fills(struct whole *all)
{
	READ(all);
	all->shade = BRIGHT;
	all->name[0] = '\0';
	READ(all);
	return all;
}

KEPT int large(struct huge *huge)
{
	READ(huge);
	return huge->before;
}

/* It ends with a page, behind which there is none. */
KEPT int at_end(struct pair *pair, struct huge *beyond)
{
	READ(pair);
	return pair->x > 0 && beyond;
}

static KEPT void memory(void)
{
	long page = sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 2 * (size_t)page, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct pair *pair = (struct pair *)(pages + page) - 1;

	munmap(pages + page, (size_t)page);
	*pair = (struct pair){1.5, 2.5};
	printf("%d\n", at_end(pair, (struct huge *)pair));
	munmap(pages, (size_t)page);
	printf("%d\n", at_end(&(struct pair){0, 1}, (struct huge *)pair));
}

int main(void)
{
	volatile int zero = 0;
	int n = zero;
	static struct huge huge = {7, "bytes"};
	struct whole all = {
		.shade = DARK,
		.part = {-1, 2, true},
		.low = 5,
		.high = 17,
		.sign = -3,
		.of = BRIGHT,
		.many = {1 + n, -2, 3},
		.name = "a \"name\"",
		.pairs = {{1.5, 2}, {-3, 4e10}},
		.either = {.number = 0x41424344},
		.text = "text",
		.next = &all,
	};

	printf("%d\n", points(&all, NULL, (struct whole *)(0x10L + n)));
	printf("%d\n", by_value(1 + n, (struct array){{1, 2, 3, 4}, 5}, 6).nr);
	printf("%d\n", on_stack(1, 2, 3, 4, 5, 6, 7,
				(struct array){{1, 2, 3, 4 + n}, 5}, 8));
	printf("%d\n",
	       in_registers((struct dense){"abc", {1, 2, 3, 4}, -1, 9}));
	printf("%d\n", fills(&all)->shade);
	printf("%d\n", large(&huge));
	memory();
	return 0;
}
