/* SPDX-License-Identifier: MIT */
/*
 * What a trace point costs a program that has TRACE_WEAK and is not linked with
 * the library: nothing there, or preloaded and not tracing.
 */
#define TRACE_WEAK
#include <trace.h>

#include "t/bench/limit.h"
#include "t/bench/measure.h"

#define ROUNDS 15
#define SLICE 200000ul

static unsigned char data[16];

static void event_loop(unsigned long nr, const void *p, size_t size)
{
	for (; nr > 0; nr--)
		posix_trace_event(POSIX_TRACE_UNNAMED_USEREVENT, p, size);
}

/* In ns for each event. */
static double slice(void (*loop)(unsigned long, const void *, size_t))
{
	double start = measure_cpu();

	loop(SLICE, data, sizeof(data));
	return (measure_cpu() - start) / SLICE;
}

int main(void)
{
	struct measure m = {0};

	slice(limit_tests);
	slice(event_loop);
	for (unsigned int round = 0; round < ROUNDS; round++) {
		double floor = slice(limit_tests);

		measure_add(&m, slice(event_loop), floor);
	}
	measure_tell(&m, &posix_trace_active_np ? "weak, preloaded" :
						  "weak, no library");
	return 0;
}
