/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_flush: beyond RLIMIT_FSIZE EFBIG is reported by flush, by the
 * status or by shutdown, and SIGXFSZ kills no process.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <sys/resource.h>

int main(void)
{
	struct posix_trace_status_info status = { .posix_stream_status = 0 };
	struct rlimit limit = { 64 * 1024, RLIM_INFINITY };
	trace_event_id_t id = event_id("an event");
	int fd = file_make(), told, n;
	trace_id_t trid;

	plan(3);
	trid = stream_make_log(0, stream_attr(1 << 20, 8, 0), fd);
	stream_start(trid);
	setrlimit(RLIMIT_FSIZE, &limit);
	for (unsigned long i = 0; i < 20000; i++)
		event_put(id, i);
	told = posix_trace_flush(trid);
	posix_trace_get_status(trid, &status);
	ok(told == EFBIG || status.posix_stream_flush_error == EFBIG,
	   "[flush.10] flush tells");
	is_int(posix_trace_shutdown(trid), EFBIG,
	       "[shutdown.13] shutdown tells");
	limit.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_FSIZE, &limit);
	n = log_count(fd, "an event");
	ok(n >= 0, "the log can be read: %d events", n);
	return done();
}
