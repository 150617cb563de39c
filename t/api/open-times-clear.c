/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_clear: of a stream with log is something done to the file of the
 * log: its times say so.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <sys/stat.h>

int main(void)
{
	const struct timespec long_ago[2] = {{1000, 0}, {1001, 0}};
	trace_event_id_t id = event_id("an event");
	int fd = file_make();
	trace_id_t trid;
	struct stat st;

	plan(2);
	trid = stream_make_log(0, stream_attr(0, 0, POSIX_TRACE_UNTIL_FULL),
			       fd);
	stream_start(trid);
	event_put(id, 1);
	posix_trace_flush(trid);
	futimens(fd, long_ago);
	is_int(posix_trace_clear(trid), 0, "clear");
	fstat(fd, &st);
	ok(st.st_mtime > 1001, "[open.14] it changes the log");
	stream_end(trid);
	return done();
}
