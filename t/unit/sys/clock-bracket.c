/* SPDX-License-Identifier: MIT */
/* Between two anchors an event's time is the time it happened, by 100 ns. */
#include "core/sys/clock.h"

#include "t/lib/tap.h"

#include <stdlib.h>

#define NR_EVENTS 20000
#define SLACK 100

struct event {
	uint64_t before, counter, after;
};

static struct event event[NR_EVENTS];

static void record_events(uint32_t clock)
{
	for (int i = 0; i < NR_EVENTS; i++) {
		event[i].before = ptl_clock_ns(CLOCK_REALTIME);
		event[i].counter = ptl_clock_now(clock);
		event[i].after = ptl_clock_ns(CLOCK_REALTIME);
	}
}

/* Anchors are so near each other and so far that both show. */
static void check_clock(uint32_t clock, const char *name)
{
	uint64_t offset = ptl_clock_offset(), last = 0;
	struct ptl_shm_anchor anchor[3];
	int outside = 0, back = 0;

	ptl_clock_anchor(clock, offset, NULL, &anchor[0]);
	ptl_clock_anchor(clock, offset, &anchor[0], &anchor[1]);
	record_events(clock);
	ptl_clock_anchor(clock, offset, &anchor[1], &anchor[2]);
	ok(anchor[0].counter <= anchor[1].counter &&
	   anchor[0].ns <= anchor[1].ns &&
	   anchor[1].counter < anchor[2].counter &&
	   anchor[1].ns < anchor[2].ns, "%s: anchors ascend", name);
	for (int i = 0; i < NR_EVENTS; i++) {
		uint64_t ns = ptl_clock_realtime(clock, anchor, 3,
						 event[i].counter);

		outside += ns + SLACK < event[i].before ||
			   ns > event[i].after + SLACK;
		back += ns < last;
		last = ns;
	}
	is_int(outside, 0, "%s: %d events within %d ns of their bracket", name,
	       NR_EVENTS, SLACK);
	is_int(back, 0, "%s: in their order", name);
}

int main(void)
{
	plan(6);
	ptl_clock_init();
	if (ptl_clock_choose() == PTL_CLOCK_TSC)
		check_clock(PTL_CLOCK_TSC, "counter");
	else
		skip(3, "the kernel does not trust the counter");
	check_clock(PTL_CLOCK_MONOTONIC, "CLOCK_MONOTONIC");
	return done();
}
