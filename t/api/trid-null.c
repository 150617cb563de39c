/* SPDX-License-Identifier: MIT */
/* XSH 2.11: a null pointer where an object is needed is EINVAL, never a crash. */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <time.h>

int main(void)
{
	struct timespec past = { 1, 0 };
	struct event ev;
	trace_id_t trid;
	int none;

	plan(17);
	is_int(posix_trace_create(0, NULL, NULL), EINVAL, "create");
	is_int(posix_trace_create_withlog(0, NULL, 1, NULL), EINVAL,
	       "create_withlog");
	is_int(posix_trace_open(0, NULL), EINVAL, "open");
	trid = stream_make(0, NULL);
	is_int(posix_trace_get_attr(trid, NULL), EINVAL, "get_attr");
	is_int(posix_trace_get_status(trid, NULL), EINVAL, "get_status");
	is_int(posix_trace_get_filter(trid, NULL), EINVAL, "get_filter");
	is_int(posix_trace_set_filter(trid, NULL, POSIX_TRACE_SET_EVENTSET),
	       EINVAL, "set_filter");
	is_int(posix_trace_get_info_np(trid, NULL), EINVAL, "get_info_np");
	is_int(posix_trace_trygetnext_event(trid, NULL, ev.data, 1, &ev.size,
					    &none), EINVAL, "no info");
	is_int(posix_trace_trygetnext_event(trid, &ev.info, NULL, 1, &ev.size,
					    &none), EINVAL, "no data");
	is_int(posix_trace_trygetnext_event(trid, &ev.info, ev.data, 1, NULL,
					    &none), EINVAL, "no length");
	is_int(posix_trace_trygetnext_event(trid, &ev.info, ev.data, 1,
					    &ev.size, NULL), EINVAL, "no end");
	is_int(posix_trace_getnext_event(trid, NULL, ev.data, 1, &ev.size,
					 &none), EINVAL, "getnext");
	is_int(posix_trace_timedgetnext_event(trid, NULL, ev.data, 1, &ev.size,
					      &none, &past), EINVAL, "timed");
	is_int(posix_trace_timedgetnext_event(trid, &ev.info, ev.data, 1,
					      &ev.size, &none, NULL), EINVAL,
	       "no time");
	stream_start(trid);
	is_int(posix_trace_trygetnext_event(trid, &ev.info, NULL, 0, &ev.size,
					    &none), 0, "no data are asked for");
	is_int(ev.info.posix_truncation_status, POSIX_TRACE_TRUNCATED_READ,
	       "and they are cut");
	stream_end(trid);
	return done();
}
