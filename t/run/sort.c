/* SPDX-License-Identifier: MIT */
/* Elements of any size are sorted by their number, and equal ones stay in their
 * order, as another sort has it that compares. */
#include "tools/lib/sort.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "t/lib/tap.h"

#define NR 5000

struct small {
	uint64_t number;
};

struct large {
	uint64_t number;
	uint32_t order;
	char rest[148];
};

static int by_number(const void *a, const void *b)
{
	const struct large *left = a, *right = b;

	if (left->number != right->number)
		return left->number < right->number ? -1 : 1;
	return (left->order > right->order) - (left->order < right->order);
}

static uint64_t random_number(uint64_t mask)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state & mask;
}

static struct large is[NR], want[NR];
static struct small number[NR];

static void try(size_t nr, uint64_t mask, const char *what)
{
	bool is_same = true;

	for (size_t i = 0; i < nr; i++) {
		is[i] = (struct large){random_number(mask), (uint32_t)i, ""};
		memset(is[i].rest, (int)i, sizeof(is[i].rest));
		number[i].number = is[i].number;
	}
	memcpy(want, is, sizeof(is));
	if (nr > 0)
		qsort(want, nr, sizeof(*want), by_number);
	ptl_sort_by_number(is, nr, sizeof(*is));
	ptl_sort_by_number(number, nr, sizeof(*number));
	for (size_t i = 0; i < nr; i++)
		is_same &= number[i].number == want[i].number;
	ok(is_same && memcmp(is, want, nr * sizeof(*is)) == 0, "%s", what);
}

int main(void)
{
	plan(11);
	for (size_t nr = 0; nr < 4; nr++)
		try(nr, 1, "small ones");
	try(NR, UINT64_MAX, "of all bits");
	try(NR, 7, "with many equal ones");
	try(NR, 0, "all equal");
	try(NR, 0xffffff, "as addresses are");
	try(NR, UINT64_C(0x8000000000000800), "of two bits");
	for (size_t i = 0; i < NR; i++)
		number[i].number = NR - i;
	ptl_sort_by_number(number, NR, sizeof(*number));
	ok(number[0].number == 1 && number[NR - 1].number == NR,
	   "turned round");
	ptl_sort_by_number(number, NR, sizeof(*number));
	ok(number[0].number == 1 && number[NR - 1].number == NR, "sorted");
	return done();
}
