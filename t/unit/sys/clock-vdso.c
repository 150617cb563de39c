/* SPDX-License-Identifier: MIT */
/* The kernel's clocks are read the same with the vDSO and without. */
#include "core/sys/clock.h"

#include "t/lib/tap.h"

static uint64_t libc_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void compare(clockid_t id, const char *name)
{
	uint64_t before = libc_ns(id);
	uint64_t ours = ptl_clock_ns(id);
	uint64_t after = libc_ns(id);

	ok(before <= ours && ours <= after, "%s", name);
}

static uint64_t cost(void)
{
	uint64_t start = ptl_clock_ns(CLOCK_MONOTONIC), end = start;

	for (int i = 0; i < 1000; i++)
		end = ptl_clock_ns(CLOCK_MONOTONIC);
	return (end - start) / 1000;
}

int main(void)
{
	uint64_t before;

	plan(8);
	before = libc_ns(CLOCK_BOOTTIME);
	ok(before <= ptl_clock_ask(CLOCK_BOOTTIME) &&
		   ptl_clock_ask(CLOCK_BOOTTIME) <= libc_ns(CLOCK_BOOTTIME),
	   "CLOCK_BOOTTIME asked for");
	compare(CLOCK_MONOTONIC, "CLOCK_MONOTONIC by system call");
	compare(CLOCK_REALTIME, "CLOCK_REALTIME by system call");
	compare(CLOCK_BOOTTIME, "CLOCK_BOOTTIME by system call");
	diag("%d ns by system call", (int)cost());
	ptl_clock_init();
	compare(CLOCK_MONOTONIC, "CLOCK_MONOTONIC");
	compare(CLOCK_REALTIME, "CLOCK_REALTIME");
	compare(CLOCK_BOOTTIME, "CLOCK_BOOTTIME");
	compare(CLOCK_THREAD_CPUTIME_ID, "a clock that the vDSO leaves to us");
	diag("%d ns through the vDSO", (int)cost());
	return done();
}
