/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_flush, _clear, _shutdown, _getnext_event: the times of the log's
 * file say when it was written and read.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <sys/stat.h>
#include <sys/statvfs.h>

static int fd;

static void set_back(void)
{
	const struct timespec long_ago[2] = {{1000, 0}, {1001, 0}};

	futimens(fd, long_ago);
}

static long long mtime(void)
{
	struct stat st;

	fstat(fd, &st);
	return st.st_mtime;
}

static long long atime(void)
{
	struct stat st;

	fstat(fd, &st);
	return st.st_atime;
}

/* Not where nobody keeps them. */
static int has_atime(void)
{
	char byte;

	set_back();
	return pread(fd, &byte, 1, 0) == 1 && atime() != 1000;
}

int main(void)
{
	trace_event_id_t id = event_id("an event");
	struct event ev;
	trace_id_t trid;

	plan(6);
	fd = file_make();
	trid = stream_make_log(0, stream_attr(0, 0, POSIX_TRACE_UNTIL_FULL),
			       fd);
	stream_start(trid);
	event_put(id, 1);
	set_back();
	posix_trace_flush(trid);
	ok(mtime() > 1001, "[open.14] flush");
	set_back();
	is_int(posix_trace_clear(trid), 0, "clear");
	ok(mtime() > 1001, "[open.14] it changes the log");
	event_put(id, 2);
	set_back();
	stream_end(trid);
	ok(mtime() > 1001, "[open.14] shutdown");
	if (!has_atime()) {
		skip(2, "this file system keeps no access times");
		return done();
	}
	set_back();
	trid = log_open(fd);
	event_next(trid, &ev);
	posix_trace_close(trid);
	ok(atime() != 1000, "[open.13] open and read");
	is_int(mtime(), 1001, "which changes nothing");
	return done();
}
