/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_snapshot_np: refuses what is no active stream, and what cannot be
 * written to; a file that is too small for it says so, and the stream goes on.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>

int main(void)
{
	trace_event_id_t id = event_id("an event");
	int fd = file_make(), readable, dir, log = file_make();
	trace_id_t trid = stream_run(0, NULL), opened;

	plan(12);
	for (int i = 0; i < 10000; i++)
		event_put(id, (unsigned long)i);
	is_int(posix_trace_snapshot_np(0, fd), EINVAL, "no stream");
	is_int(posix_trace_snapshot_np(trid, -1), EBADF, "no descriptor");
	readable = open("/dev/null", O_RDONLY);
	is_int(posix_trace_snapshot_np(trid, readable), EBADF, "not to write");
	dir = open("/", O_RDONLY);
	is_int(posix_trace_snapshot_np(trid, dir), EINVAL, "a directory");
	file_limit(65536);
	is_int(posix_trace_snapshot_np(trid, fd), EFBIG, "too large");
	ok(log_state(fd) == POSIX_TRACE_LOG_INCOMPLETE_NP,
	   "then the file is not complete");
	file_limit(RLIM_INFINITY);
	is_int(posix_trace_snapshot_np(trid, fd), 0, "then it is written");
	is_int(log_count(fd, "an event"), 10000, "all of it");
	is_int(posix_trace_snapshot_np(trid, log), 0, "another");
	opened = log_open(log);
	is_int(posix_trace_snapshot_np(opened, fd), EINVAL, "of a log");
	posix_trace_close(opened);
	is_int(event_count(trid, id), 10000, "the stream has all");
	stream_end(trid);
	is_int(posix_trace_snapshot_np(trid, fd), EINVAL, "of one shut down");
	return done();
}
