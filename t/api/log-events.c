/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_open: a log has the events, their names, the attributes and the
 * final status; at its end *unavailable; posix_trace_rewind begins anew.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>

#define NR 50000

static int check(trace_id_t log, trace_event_id_t id)
{
	unsigned long next = 0;
	struct event ev;
	int wrong = 0;

	while (event_next(log, &ev))
		if (ev.info.posix_event_id == id)
			wrong += ev.word != next++ ||
				 ev.info.posix_pid != getpid();
	return wrong || next != NR;
}

int main(void)
{
	trace_attr_t *attr = stream_attr(100000, 77, 0), got;
	struct posix_trace_status_info status;
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_id_t id, listed;
	int fd = file_make(), none = 0, found = 0, bad = 0;
	struct event ev, last = { .size = 0 };
	trace_id_t trid, log;
	size_t size;

	plan(16);
	id = event_id("an event");
	posix_trace_attr_setname(attr, "its name");
	trid = stream_begin(stream_make_log(0, attr, fd));
	for (unsigned long i = 0; i < NR; i++) {
		event_put(id, i);
		if (i % 500 == 0)
			bad += posix_trace_flush(trid) != 0;
	}
	is_int(bad, 0, "[flush.1] flush");
	is_int(posix_trace_shutdown(trid), 0, "[shutdown.7] shutdown");
	log = log_open(fd);
	is_int(check(log, id), 0, "[shutdown.7] [streampolicy.7] [open.1] all events are in the log");
	is_int(posix_trace_rewind(log), 0, "[rewind.2] rewind");
	is_int(check(log, id), 0, "[rewind.1] and again");
	is_int(posix_trace_getnext_event(log, &ev.info, ev.data, 8, &ev.size,
					 &none), 0, "at the end");
	ok(none, "[getnext_event.7] no more");
	posix_trace_rewind(log);
	ok(event_next(log, &ev) &&
	   ev.info.posix_event_id == POSIX_TRACE_START,
	   "[xsh_events.1] the first is START");
	ok(event_next(log, &ev) && ev.info.posix_event_id == id,
	   "... and behind it is what the program recorded");
	while (event_next(log, &ev))
		last = ev;
	ok(last.info.posix_event_id == POSIX_TRACE_STOP && last.number == 0,
	   "[shutdown.1] the last is STOP, asked for");
	posix_trace_eventid_get_name(log, id, name);
	is_str(name, "an event", "[shutdown.9] its name");
	posix_trace_get_attr(log, &got);
	posix_trace_attr_getname(&got, name);
	is_str(name, "its name", "[shutdown.8] the stream's name");
	posix_trace_attr_getmaxdatasize(&got, &size);
	is_int((long long)size, 77, "[shutdown.8] the data size");
	posix_trace_get_status(log, &status);
	is_int(status.posix_stream_status, POSIX_TRACE_SUSPENDED,
	       "[shutdown.10] suspended");
	for (none = 0; !posix_trace_eventtypelist_getnext_id(log, &listed,
							     &none) && !none;)
		found += listed == id || listed == POSIX_TRACE_START;
	is_int(found, 2, "[shutdown.9] its types are listed");
	is_int(posix_trace_close(log), 0, "[close.4] close");
	return done();
}
