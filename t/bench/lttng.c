/* SPDX-License-Identifier: MIT */
/* What an event of LTTng-UST costs, beside the limit; see t/bench/lttng. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "t/bench/lttng-tp.h"

#include "t/bench/limit.h"
#include "t/bench/measure.h"

#define ROUNDS 15
#define SLICE 200000ul

static unsigned char data[16];

int main(int argc, char **argv)
{
	struct measure m = {0};

	limit_begin();
	for (unsigned int round = 0; round <= ROUNDS; round++) {
		double start = measure_now(), middle, end;

		limit_loop(SLICE, data, sizeof(data));
		middle = measure_now();
		for (unsigned long i = 0; i < SLICE; i++)
			lttng_ust_tracepoint(ptl_bench, event, data,
					     sizeof(data));
		end = measure_now();
		/* The first is to warm up. */
		if (round > 0)
			measure_add(&m, (end - middle) / SLICE,
				    (middle - start) / SLICE);
	}
	measure_tell(&m, argc > 1 ? argv[1] : argv[0]);
	return 0;
}
