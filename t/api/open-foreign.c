/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_open: EINVAL for whatever is no log or not open for reading, and
 * *trid stays as it was.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>

#define MARK ((trace_id_t)4711)

static void refuses(int fd, const char *what)
{
	trace_id_t trid = MARK;
	int err = posix_trace_open(fd, &trid);

	is_int(err, EINVAL, "[open.9] %s", what);
	ok(trid == MARK, "[open.7] and no trid");
	if (!err)
		posix_trace_close(trid);
	if (fd > 2)
		close(fd);
}

/* A log with one event. */
static int make_log(void)
{
	int fd = file_make();
	trace_id_t trid = stream_make_log(0, NULL, fd);

	stream_start(trid);
	event_put(event_id("an event"), 1);
	stream_end(trid);
	return fd;
}

static int reopen(int fd, int flags)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, flags);
}

static int filled(const char *data, size_t size)
{
	int fd = memfd_create("foreign", 0);

	if (write(fd, data, size) != (ssize_t)size)
		return -1;
	return fd;
}

int main(void)
{
	static char block[100000];
	int log = make_log(), pipes[2], fd;
	trace_id_t trid;

	plan(16 * 2 + 3);
	refuses(-1, "-1");
	refuses(-100, "AT_FDCWD");
	refuses(1 << 20, "no descriptor at all");
	fd = dup(log);
	close(fd);
	refuses(fd, "a closed descriptor");
	refuses(reopen(log, O_WRONLY), "[open.2] a log, but write-only");
	refuses(reopen(log, O_PATH), "[open.2] a log, but O_PATH");
	refuses(open("/", O_RDONLY | O_DIRECTORY), "a directory");
	pipe(pipes);
	close(pipes[1]);
	refuses(pipes[0], "a pipe");
	socketpair(AF_UNIX, SOCK_STREAM, 0, pipes);
	refuses(pipes[0], "a socket");
	close(pipes[1]);
	refuses(open("/dev/null", O_RDONLY), "/dev/null");
	refuses(open("/dev/zero", O_RDONLY), "/dev/zero");
	refuses(memfd_create("empty", 0), "an empty file");
	refuses(filled("not a log\n", 10), "a line of text");
	refuses(filled(block, sizeof(block)), "zeroes");
	memset(block, 0xff, sizeof(block));
	refuses(filled(block, sizeof(block)), "ones");
	fd = memfd_create("sparse", 0);
	if (ftruncate(fd, (off_t)1 << 40))
		diag("no sparse file");
	refuses(fd, "a terabyte of nothing");

	is_int(posix_trace_open(log, NULL), EINVAL, "nowhere for the trid");
	is_int(posix_trace_open(log, &trid), 0, "[open.6] the log itself");
	is_int(posix_trace_close(trid), 0, "[close.4] close");
	return done();
}
