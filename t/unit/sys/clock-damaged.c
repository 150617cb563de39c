/* SPDX-License-Identifier: MIT */
/* Anchors of any value give some time, and no fault. */
#include "core/sys/clock.h"

#include "t/lib/tap.h"

#include <stdlib.h>

static uint64_t random_word(void)
{
	static const uint64_t odd[] = { 0, 1, UINT64_MAX, INT64_MAX,
					UINT64_C(1) << 63 };

	if (random() % 4 == 0)
		return odd[(size_t)random() % PTL_ARRAY_SIZE(odd)];
	return (uint64_t)random() << 42 ^ (uint64_t)random() << 21 ^
	       (uint64_t)random();
}

int main(void)
{
	static const struct ptl_shm_anchor same[3];
	struct ptl_shm_anchor anchor[8];
	uint64_t sum = 0;

	plan(3);
	ptl_clock_init();
	srandom(1);
	for (int i = 0; i < 200000; i++) {
		size_t n = (size_t)random() % 9;

		for (size_t k = 0; k < n; k++)
			anchor[k] = (struct ptl_shm_anchor){ random_word(),
							     random_word() };
		sum += ptl_clock_realtime((uint32_t)random() % 4, anchor, n,
					  random_word());
	}
	ok(sum || !sum, "200000 times garbage");
	is_int((long long)ptl_clock_realtime(PTL_CLOCK_TSC, same, 3, 7), 0,
	       "anchors all the same");
	is_int((long long)ptl_clock_realtime(PTL_CLOCK_TSC, same, 0, 7), 7,
	       "no anchors");
	return done();
}
