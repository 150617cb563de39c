/* SPDX-License-Identifier: MIT */
/* The counter is chosen if the kernel trusts it and the process may read it. */
#include "core/sys/clock.h"

#include "t/lib/tap.h"

#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

static uint32_t kernels_choice(void)
{
	char buf[64] = "";
	FILE *f = fopen("/sys/devices/system/clocksource/clocksource0/"
			"current_clocksource", "r");

	if (f) {
		if (!fgets(buf, sizeof(buf), f))
			buf[0] = '\0';
		fclose(f);
	}
	return strcmp(buf, "tsc\n") && strcmp(buf, "arch_sys_counter\n") ?
		       PTL_CLOCK_MONOTONIC : PTL_CLOCK_TSC;
}

int main(void)
{
	plan(7);
	ptl_clock_init();
	is_int(ptl_clock_choose(), kernels_choice(), "as the kernel");
	ok(ptl_clock_allowed(PTL_CLOCK_MONOTONIC), "CLOCK_MONOTONIC always");
	ok(ptl_clock_resolution() > 0 && ptl_clock_resolution() < 1000,
	   "%d ns resolution", (int)ptl_clock_resolution());
	ok(ptl_clock_allowed(PTL_CLOCK_TSC), "the counter, as a rule");
	if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV)) {
		skip(3, "no PR_SET_TSC");
		return done();
	}
	ok(!ptl_clock_allowed(PTL_CLOCK_TSC), "the counter is forbidden");
	is_int(ptl_clock_choose(), PTL_CLOCK_MONOTONIC, "and not chosen");
	ptl_clock_init();
	ok(ptl_clock_now(PTL_CLOCK_MONOTONIC) > 0, "and not read");
	prctl(PR_SET_TSC, PR_TSC_ENABLE);
	return done();
}
