/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_getnext_event: data longer than num_bytes are cut to it and
 * POSIX_TRACE_TRUNCATED_READ, which overrides TRUNCATED_RECORD; the event is
 * gone then.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <string.h>

static int next(trace_id_t trid, void *data, size_t size, size_t *len)
{
	struct posix_trace_event_info info;
	int none;

	*len = 999;
	if (posix_trace_trygetnext_event(trid, &info, data, size, len, &none) ||
	    none)
		return -1;
	return info.posix_truncation_status;
}

int main(void)
{
	trace_event_id_t id = event_id("an event");
	char data[] = "0123456789", got[32];
	struct event ev;
	trace_id_t trid;
	size_t len;

	plan(10);
	trid = stream_run(0, stream_attr(0, 8, 0));
	event_find(trid, POSIX_TRACE_START, &ev);
	posix_trace_event(id, data, 6);
	posix_trace_event(id, data, 10);
	posix_trace_event(id, data, 10);
	posix_trace_event(id, data, 6);
	posix_trace_event(id, data, 6);
	memset(got, 'x', sizeof(got));
	is_int(next(trid, got, 4, &len), POSIX_TRACE_TRUNCATED_READ,
	       "[getnext_event.15] [xsh_2_11_1_info.8] read");
	is_int((long long)len, 4, "so many bytes");
	ok(!memcmp(got, "0123xx", 6), "these, and no other was written");
	is_int(next(trid, got, 8, &len), POSIX_TRACE_TRUNCATED_RECORD,
	       "[getnext_event.12] [event.4] [xsh_2_11_1_info.7 user_event.4] recorded so");
	is_int((long long)len, 8,
	       "[attr_setmaxdatasize.3] max-data-size bytes");
	is_int(next(trid, got, 7, &len), POSIX_TRACE_TRUNCATED_READ,
	       "[getnext_event.15] [xsh_2_11_1_info.9] both");
	is_int(next(trid, got, 6, &len), POSIX_TRACE_NOT_TRUNCATED,
	       "[xsh_2_11_1_info.6] just enough");
	is_int(next(trid, NULL, 0, &len), POSIX_TRACE_TRUNCATED_READ,
	       "no data wanted");
	is_int((long long)len, 0, "and none written");
	is_int(next(trid, got, 6, &len), -1, "[getnext_event.18] each event once");
	stream_end(trid);
	return done();
}
