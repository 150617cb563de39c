/* SPDX-License-Identifier: MIT */
/* New ids are 62-bit numbers, never 0, never the same. */
#include "core/shm/segment.h"

#include "t/lib/tap.h"

#include <stdlib.h>

#define NR_IDS 10000

static uint64_t id[NR_IDS];

static int cmp(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int main(void)
{
	int odd = 0, same = 0;

	plan(2);
	for (int i = 0; i < NR_IDS; i++) {
		id[i] = ptl_segment_new_id();
		odd += id[i] == 0 || id[i] >> 62;
	}
	qsort(id, NR_IDS, sizeof(id[0]), cmp);
	for (int i = 1; i < NR_IDS; i++)
		same += id[i] == id[i - 1];
	is_int(odd, 0, "all are 62-bit numbers");
	is_int(same, 0, "all differ");
	return done();
}
