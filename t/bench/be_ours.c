/* SPDX-License-Identifier: MIT */
/*
 * Rows of ours for the side-by-side bench of ../shared/bench, where there is
 * one: it measures LTTng-UST, USDT, write(2) and a hand-written limit in the
 * same rounds.  In a copy of that directory, as BENCH:
 *
 *	cc -O2 -fPIC -shared -I BENCH -I include -o BENCH/be_ours.so \
 *		t/bench/be_ours.c -L build/lib -lptrace -Wl,-rpath,$PWD/build/lib
 *	BENCH/run.sh quick be_ours.so
 */
#include <bench.h>
#include <trace.h>

static trace_event_id_t recorded, filtered;

static int init(void)
{
	static int state = -1;
	trace_event_set_t set;
	trace_attr_t attr;
	trace_id_t trid;

	/* One stream for both rows. */
	if (state >= 0)
		return state;
	state = posix_trace_eventid_open("bench", &recorded) ||
		posix_trace_eventid_open("bench:filtered", &filtered) ||
		posix_trace_attr_init(&attr) ||
		posix_trace_attr_setstreamsize(&attr, 1 << 20) ||
		posix_trace_create(0, &attr, &trid) ||
		posix_trace_eventset_empty(&set) ||
		posix_trace_eventset_add(filtered, &set) ||
		posix_trace_set_filter(trid, &set, POSIX_TRACE_SET_EVENTSET) ||
		posix_trace_start(trid);
	return state;
}

BENCH_LOOP(record, posix_trace_event(recorded, p, len))
BENCH_LOOP(filter, posix_trace_event(filtered, p, len))

const struct bench_backend bench_backends[] = {
	{.name = "ours:running", .init = init, .loop = record},
	{.name = "ours:filtered", .init = init, .loop = filter},
	{0},
};
