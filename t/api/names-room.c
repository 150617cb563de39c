/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_attr_getstreamsize: stream-min-size is for event records alone:
 * names, attributes, types and filters take nothing of it.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <stdio.h>
#include <string.h>

/* How many events of 8 bytes fit before the stream stops by itself. */
static int capacity(trace_id_t trid, trace_event_id_t id)
{
	struct posix_trace_status_info status;
	int n = 0;

	stream_start(trid);
	do {
		event_put(id, 1);
		n++;
		posix_trace_get_status(trid, &status);
	} while (status.posix_stream_status == POSIX_TRACE_RUNNING);
	return n;
}

int main(void)
{
	trace_event_id_t id = event_id("an event"), given;
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_attr_t *attr, told;
	trace_event_set_t all;
	int plain, laden;
	trace_id_t trid;
	size_t size;

	plan(3);
	attr = stream_attr(10000, 64, POSIX_TRACE_UNTIL_FULL);
	trid = stream_make(0, attr);
	stream_only_user(trid);
	plain = capacity(trid, id);
	posix_trace_get_attr(trid, &told);
	posix_trace_attr_getstreamsize(&told, &size);
	ok(size >= 10000, "[attr_getstreamsize.2] it has %zu bytes", size);
	stream_end(trid);

	memset(name, 'n', sizeof(name));
	name[TRACE_NAME_MAX] = '\0';
	posix_trace_attr_setname(attr, name);
	trid = stream_make(0, attr);
	posix_trace_eventset_fill(&all, POSIX_TRACE_ALL_EVENTS);
	for (int i = 0; i < 1000; i++) {
		name[snprintf(name, 8, "%d", i)] = 'n';
		posix_trace_trid_eventid_open(trid, name, &given);
		posix_trace_set_filter(trid, &all, POSIX_TRACE_SET_EVENTSET);
	}
	stream_only_user(trid);
	posix_trace_attr_getmaxusereventsize(attr, 8, &size);
	laden = capacity(trid, id);
	ok(laden >= (int)(10000 / size),
	   "[attr_getstreamsize.4 xsh_2_11_1_attr.5] %d events fit", laden);
	is_int(laden, plain, "[attr_getstreamsize.4] as many as without names");
	stream_end(trid);
	return done();
}
