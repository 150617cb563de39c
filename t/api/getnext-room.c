/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_getnext_event: the room of events that were read is there for
 * new ones, for many times the size of the stream; each is read once.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#define NR_ROUNDS 200

static void check(int policy)
{
	trace_event_id_t id = event_id("an event");
	struct posix_trace_status_info status;
	unsigned long put = 0, got = 0;
	trace_attr_t *attr;
	int wrong = 0, stops = 0;
	trace_id_t trid;
	struct event ev;
	size_t size;

	attr = stream_attr(20000, 100, policy);
	posix_trace_attr_getmaxusereventsize(attr, 100, &size);
	trid = stream_run(0, attr);
	for (int round = 0; round < NR_ROUNDS; round++) {
		unsigned char data[100] = {0};

		for (size_t i = 0; i < 20000 / size; i++) {
			*(unsigned long *)(void *)data = put++;
			posix_trace_event(id, data, sizeof(data));
		}
		while (event_next(trid, &ev)) {
			stops += ev.info.posix_event_id == POSIX_TRACE_STOP;
			if (ev.info.posix_event_id == id)
				wrong += ev.word != got++;
		}
	}
	posix_trace_get_status(trid, &status);
	ok(put > 1000 && got == put,
	   "[getnext_event.19] all of %lu events were recorded", put);
	is_int(wrong, 0, "[getnext_event.16] [getnext_event.18] each once");
	is_int(stops, 0, "it never was full");
	is_int(status.posix_stream_overrun_status, POSIX_TRACE_NO_OVERRUN,
	       "and says so");
	stream_end(trid);
}

int main(void)
{
	plan(8);
	check(POSIX_TRACE_UNTIL_FULL);
	check(POSIX_TRACE_LOOP);
	return done();
}
