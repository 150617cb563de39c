/* SPDX-License-Identifier: MIT */
/* What an event costs with libptrace and with LTTng-UST, by turns; see
 * t/bench/lttng. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "t/bench/lttng-tp.h"

#include <trace.h>

#include "t/bench/measure.h"
#include "t/bench/verify.h"

#define ROUNDS 15
#define SLICE 200000ul

static unsigned char data[16];

static trace_id_t begin(trace_event_id_t *id)
{
	trace_attr_t attr;
	trace_id_t trid;

	if (posix_trace_eventid_open("bench", id) != 0 ||
	    posix_trace_attr_init(&attr) != 0 ||
	    posix_trace_attr_setstreamsize(&attr, 1 << 20) != 0 ||
	    posix_trace_create(0, &attr, &trid) != 0 ||
	    posix_trace_start(trid) != 0)
		exit(1);
	return trid;
}

int main(int argc, char **argv)
{
	struct measure m = {0};
	trace_event_id_t id;
	trace_id_t trid = begin(&id);

	for (unsigned int round = 0; round <= ROUNDS; round++) {
		double start = measure_cpu(), middle, end;

		for (unsigned long i = 0; i < SLICE; i++)
			posix_trace_event(id, data, sizeof(data));
		middle = measure_cpu();
		for (unsigned long i = 0; i < SLICE; i++)
			lttng_ust_tracepoint(ptl_bench, event, data,
					     sizeof(data));
		end = measure_cpu();
		/* The first is to warm up. */
		if (round > 0)
			measure_add(&m, (middle - start) / SLICE,
				    (end - middle) / SLICE);
	}
	measure_tell(&m, argc > 1 ? argv[1] : argv[0]);
	verify_recorded(trid, id, (ROUNDS + 1) * SLICE);
	posix_trace_shutdown(trid);
	return 0;
}
