/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: the timestamp is CLOCK_REALTIME of the call; of one thread
 * it never goes back.
 */
#include "t/lib/clock.h"
#include "t/lib/tap.h"

#define NR 20000
/* The clocks are read one after the other, and rounded. */
#define SLACK 100000

int main(void)
{
	static long long before[NR + 1];
	trace_event_id_t id = event_id("an event");
	int n, back = 0, early = 0, late = 0;
	long long last = 0;
	struct event ev;
	trace_id_t trid;

	plan(4);
	trid = stream_make(0, stream_attr(8 << 20, 64, 0));
	stream_start(trid);
	for (n = 0; n < NR; n++) {
		before[n] = clock_ns();
		event_put(id, (unsigned long)n);
	}
	before[NR] = clock_ns();
	for (n = 0; n < NR && event_find(trid, id, &ev); n++) {
		long long t = event_ns(&ev);

		back += t < last;
		early += t < before[n] - SLACK;
		late += t > before[n + 1] + SLACK;
		last = t;
	}
	is_int(n, NR, "all are there");
	is_int(back, 0, "[event_info.6] none goes back");
	is_int(early, 0,
	       "[event_info.6] [xsh_2_11_1_info.10] none is earlier than before the call");
	is_int(late, 0, "[event_info.6] [xsh_2_11_1_info.10] none is later than after it");
	stream_end(trid);
	return done();
}
