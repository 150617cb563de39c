/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_attr_getmaxusereventsize: any events of one thread whose maximum
 * sizes sum up to stream-min-size are recorded without loss.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

static const struct {
	size_t stream, max_data, low, high;
} cases[] = {
	{ 8192, 64, 0, 0 },
	{ 8192, 64, 64, 64 },
	{ 65536, 4096, 4096, 4096 },
	{ 65536, 4096, 2500, 2500 },
	{ 300000, 1000, 0, 1000 },
	{ 1000000, 100000, 60000, 100000 },
	{ 2000000, 100, 1, 9 },
	{ 100, 8, 0, 8 },
};
#define NR_CASES (int)(sizeof(cases) / sizeof(cases[0]))

static unsigned char data[100000];

static void try_case(trace_event_id_t id, int c, int policy)
{
	size_t left = cases[c].stream, size = cases[c].low, need;
	trace_attr_t *attr = stream_attr(left, cases[c].max_data, policy);
	trace_id_t trid = stream_make(0, attr);
	int n = 0;

	stream_begin(trid);
	for (;;) {
		posix_trace_attr_getmaxusereventsize(attr, size, &need);
		if (need > left)
			break;
		left -= need;
		posix_trace_event(id, data, size);
		n++;
		size = size == cases[c].high ? cases[c].low : size + 1;
	}
	is_int(event_count(trid, id), n,
	       "[attr_getmaxusereventsize.3 attr_getmaxusereventsize.7] "
	       "%zu bytes of at most %zu, policy %d",
	       cases[c].stream, cases[c].max_data, policy);
	stream_end(trid);
}

int main(void)
{
	trace_event_id_t id = event_id("an event");

	plan(2 * NR_CASES);
	for (int c = 0; c < NR_CASES; c++) {
		try_case(id, c, POSIX_TRACE_LOOP);
		try_case(id, c, POSIX_TRACE_UNTIL_FULL);
	}
	return done();
}
