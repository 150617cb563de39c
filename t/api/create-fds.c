/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create_withlog: each kind of descriptor with each log policy:
 * EBADF, EINVAL, or a stream that can be flushed and shut down.
 */
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>

#define NR 200

static const int policies[] = { POSIX_TRACE_LOOP, POSIX_TRACE_UNTIL_FULL,
				POSIX_TRACE_APPEND };
static const char *const policy_names[] = { "LOOP", "UNTIL_FULL", "APPEND" };

static trace_event_id_t id;

static int create(int fd, int policy, trace_id_t *trid)
{
	trace_attr_t *attr = story_attr(65536, 0, 0, policies[policy]);

	return posix_trace_create_withlog(0, attr, fd, trid);
}

static void refused(int fd, const char *what)
{
	for (int i = 0; i < 3; i++) {
		trace_id_t trid;
		int got = create(fd, i, &trid);

		is_int(got, EBADF, "[create_withlog.8] %s, %s", what,
		       policy_names[i]);
		if (!got)
			posix_trace_shutdown(trid);
	}
}

/* A device without an end: only APPEND goes with it. */
static void only_append(int fd, const char *what)
{
	trace_id_t trid = 0;
	int err;

	is_int(create(fd, 0, &trid), EINVAL, "[create_withlog.3] %s, LOOP",
	       what);
	is_int(create(fd, 1, &trid), EINVAL,
	       "[create_withlog.3] %s, UNTIL_FULL",
	       what);
	err = create(fd, 2, &trid);
	is_int(err, 0, "[create_withlog.4] %s, APPEND", what);
	if (err) {
		skip(2, "no stream");
		return;
	}
	stream_start(trid);
	for (unsigned long i = 0; i < NR; i++)
		event_put(id, i);
	is_int(posix_trace_flush(trid), 0, "[flush.1] flush to %s", what);
	is_int(posix_trace_shutdown(trid), 0, "[shutdown.7] shutdown to %s",
	       what);
}

/* /dev/full: whoever tells it first, and the trid is no more. */
static void full_device(void)
{
	int fd = open("/dev/full", O_WRONLY), told;
	trace_id_t trid = 0;

	told = create(fd, 2, &trid);
	if (told) {
		is_int(told, ENOSPC, "[create_withlog.10] /dev/full");
		skip(2, "told by create");
		return;
	}
	stream_start(trid);
	for (unsigned long i = 0; i < NR; i++)
		event_put(id, i);
	told = posix_trace_flush(trid);
	ok(told == ENOSPC ||
	   status_of(trid).posix_stream_flush_error == ENOSPC,
	   "[flush.11] /dev/full: told");
	is_int(posix_trace_shutdown(trid), ENOSPC, "[shutdown.14] and again");
	is_int(posix_trace_shutdown(trid), EINVAL,
	       "[shutdown.16] the trid is no more");
}

/* A file that can be written only, with its offset somewhere. */
static void write_only(void)
{
	char path[64];
	int fd = file_make(), fd2;
	struct story story;
	trace_id_t trid = 0;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	fd2 = open(path, O_WRONLY);
	if (write(fd, "old", 3) != 3 || lseek(fd2, 12345, SEEK_SET) < 0)
		diag("no old contents");
	is_int(posix_trace_create_withlog(0, story_attr(0, 0, 0,
							POSIX_TRACE_APPEND),
					  fd2, &trid), 0,
	       "[create_withlog.2] a descriptor for writing only");
	stream_start(trid);
	for (unsigned long i = 0; i < NR; i++)
		story_put(id, 0, i);
	is_int(posix_trace_shutdown(trid), 0, "shutdown");
	is_int(story_log(fd, id, &story), 0, "[shutdown.11] a log");
	is_int(story.users, NR, "[shutdown.7] has all events");
}

int main(void)
{
	int fd, pipes[2], pair[2];

	plan(43);
	id = event_id("an event");
	fd = dup(0);
	close(fd);
	refused(fd, "a closed descriptor");
	refused(-1, "-1");
	refused(1 << 30, "a huge number");
	fd = open("/etc/passwd", O_RDONLY);
	refused(fd, "a file to be read only");
	fd = open("/etc/passwd", O_PATH);
	refused(fd, "O_PATH");
	fd = open("/", O_RDONLY | O_DIRECTORY);
	for (int i = 0; i < 3; i++) {
		trace_id_t trid;
		int err = create(fd, i, &trid);

		ok(err == EBADF || err == EINVAL,
		   "[create_withlog.8] a directory, %s", policy_names[i]);
	}
	if (pipe(pipes) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		return 1;
	fcntl(pipes[1], F_SETPIPE_SZ, 1 << 20);
	only_append(pipes[1], "a pipe");
	only_append(pair[0], "a socket");
	only_append(open("/dev/null", O_WRONLY), "/dev/null");
	refused(pipes[0], "the reading end of a pipe");
	full_device();
	write_only();
	return done();
}
