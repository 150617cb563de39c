/* SPDX-License-Identifier: MIT */
/* With one anchor the counter's own frequency is good for a short while. */
#include "core/sys/clock.h"

#include "t/lib/tap.h"

#define NR_EVENTS 10000

int main(void)
{
	uint32_t clock = PTL_CLOCK_TSC;
	struct ptl_shm_anchor anchor;
	uint64_t worst = 0;

	ptl_clock_init();
	if (ptl_clock_choose() != clock)
		skip_all("the kernel does not trust the counter");
	plan(1);
	ptl_clock_anchor(clock, ptl_clock_offset(), NULL, &anchor);
	for (int i = 0; i < NR_EVENTS; i++) {
		uint64_t before = ptl_clock_ns(CLOCK_REALTIME);
		uint64_t counter = ptl_clock_now(clock);
		uint64_t after = ptl_clock_ns(CLOCK_REALTIME);
		uint64_t ns = ptl_clock_realtime(clock, &anchor, 1, counter);

		if (ns < before)
			worst = PTL_MAX(worst, before - ns);
		if (ns > after)
			worst = PTL_MAX(worst, ns - after);
	}
	ok(worst < 5000, "%d ns off at most", (int)worst);
	return done();
}
