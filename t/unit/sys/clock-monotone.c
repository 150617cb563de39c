/* SPDX-License-Identifier: MIT */
/* A later counter is never an earlier time, in and outside of the anchors. */
#include "core/sys/clock.h"

#include "t/lib/tap.h"

#include <stdlib.h>

#define NR_ANCHORS 20
#define NR_POINTS 100000

static const struct ptl_shm_anchor exact[] = {
	{ 1000000000, 5000000000 },
	{ 2000000000, 5500000000 },	/* 2 GHz */
	{ 3000000000, 5900000000 },	/* 2.5 GHz */
};

static uint64_t at(size_t n, uint64_t counter)
{
	return ptl_clock_realtime(PTL_CLOCK_TSC, exact, n, counter);
}

static int cmp(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* As a live reader makes them: some too near each other for any slope. */
static int walk_real_anchors(uint32_t clock)
{
	static uint64_t counter[NR_POINTS];
	struct ptl_shm_anchor anchor[NR_ANCHORS];
	uint64_t offset = ptl_clock_offset(), range, last = 0;
	int back = 0;

	for (int i = 0; i < NR_ANCHORS; i++)
		ptl_clock_anchor(clock, offset, i ? &anchor[i - 1] : NULL,
				 &anchor[i]);
	range = anchor[NR_ANCHORS - 1].counter - anchor[0].counter;
	srandom(1);
	for (int i = 0; i < NR_POINTS; i++)
		counter[i] = anchor[0].counter - range +
			     (uint64_t)random() % (range * 3);
	qsort(counter, NR_POINTS, sizeof(*counter), cmp);
	for (int i = 0; i < NR_POINTS; i++) {
		uint64_t ns = ptl_clock_realtime(clock, anchor, NR_ANCHORS,
						 counter[i]);

		back += ns < last;
		last = ns;
	}
	return back;
}

int main(void)
{
	plan(13);
	ptl_clock_init();
	is_int((long long)at(3, 1000000000), 5000000000, "at the first");
	is_int((long long)at(3, 2000000000), 5500000000, "at the second");
	is_int((long long)at(3, 3000000000), 5900000000, "at the last");
	is_int((long long)at(3, 1500000000), 5250000000, "between, here");
	is_int((long long)at(3, 2500000000), 5700000000, "between, there");
	is_int((long long)at(3, 3500000000), 6100000000, "after the last");
	is_int((long long)at(3, 500000000), 4750000000, "before the first");
	is_int((long long)at(2, 3000000000), 6000000000, "two are enough");
	is_int((long long)ptl_clock_realtime(PTL_CLOCK_MONOTONIC, exact, 1,
					     1000000123),
	       5000000123, "one is enough for CLOCK_MONOTONIC");
	is_int((long long)ptl_clock_realtime(PTL_CLOCK_MONOTONIC, exact, 1,
					     999999900),
	       4999999900, "before it, too");
	is_int(walk_real_anchors(PTL_CLOCK_MONOTONIC), 0, "CLOCK_MONOTONIC");
	if (ptl_clock_choose() != PTL_CLOCK_TSC) {
		skip(2, "the kernel does not trust the counter");
		return done();
	}
	is_int(walk_real_anchors(PTL_CLOCK_TSC), 0, "counter");
	ok(at(1, 1000000001) >= at(1, 1000000000) &&
	   at(1, 999999999) <= at(1, 1000000000), "counter, one anchor");
	return done();
}
