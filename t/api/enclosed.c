/* SPDX-License-Identifier: MIT */
/* What is enclosed in a log is there again, and its events are as before; what
 * is damaged is not shown. */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <trace.h>
#include <unistd.h>

static char path[] = "/tmp/enclosed.XXXXXX";

static long long events_of(int fd)
{
	struct posix_trace_info_np info;
	trace_id_t trid;

	if (posix_trace_open(fd, &trid) != 0)
		return -1;
	posix_trace_get_info_np(trid, &info);
	posix_trace_close(trid);
	return info.log_state == POSIX_TRACE_LOG_COMPLETE_NP ?
		       (long long)info.events :
		       -2;
}

static int get(int fd, unsigned int number, char *name, char *data,
	       size_t *size)
{
	trace_id_t trid;
	int err = posix_trace_open(fd, &trid);

	if (err)
		return err;
	err = posix_trace_get_enclosed_np(trid, number, name, 8, data, 4, size);
	posix_trace_close(trid);
	return err;
}

/* A log of some events, that is complete. */
static int make_log(void)
{
	int fd = mkstemp(path);
	trace_id_t trid;

	if (posix_trace_create_withlog(getpid(), NULL, fd, &trid) != 0)
		exit(1);
	posix_trace_start(trid);
	posix_trace_event(POSIX_TRACE_UNNAMED_USEREVENT, "x", 1);
	posix_trace_shutdown(trid);
	return fd;
}

/* Says that it is longer than its packet, whose header is of 96 bytes. */
static void damage(int fd, off_t at)
{
	uint64_t size = 1000;

	if (pwrite(fd, &size, sizeof(size), at + 96) != sizeof(size))
		exit(1);
}

int main(void)
{
	char name[16] = "", data[8] = "", *long_name = calloc(1, 8193);
	struct stat before;
	long long events;
	size_t size = 0;
	int fd;

	plan(21);
	fd = make_log();
	events = events_of(fd);
	ok(events > 0, "a complete log");
	is_int(get(fd, 0, name, data, &size), ENOENT, "nothing is in it");
	is_int(posix_trace_enclose_np(fd, "one", "abc", 3), 0, "enclose");
	is_int(events_of(fd), events, "the events are as before");
	is_int(get(fd, 0, name, data, &size), 0, "it is there");
	is_str(name, "one", "its name");
	is_str(data, "abc", "its bytes");
	is_int((long)size, 3, "how many");
	fstat(fd, &before);
	is_int(posix_trace_enclose_np(fd, "another", "wxyzabc", 7), 0,
	       "another");
	memset(data, 0, sizeof(data));
	is_int(get(fd, 1, name, data, &size), 0, "is the second");
	is_str(data, "wxyz", "no more than there is room for");
	is_int((long)size, 7, "and it says how much there is");
	is_int(get(fd, 2, name, data, &size), ENOENT, "there is no third");
	memset(long_name, 'x', 8192);
	is_int(posix_trace_enclose_np(fd, long_name, "", 0), ENAMETOOLONG,
	       "a long name");
	long_name[8191] = '\0';
	is_int(posix_trace_enclose_np(fd, long_name, NULL, 0), 0,
	       "the longest, and no bytes");
	is_int(posix_trace_enclose_np(fd, "", "", 0), EINVAL, "no name");
	is_int(posix_trace_enclose_np(fd, "x", NULL, 1), EINVAL, "no data");
	is_int(posix_trace_enclose_np(-1, "x", "", 0), EBADF, "no file");
	damage(fd, before.st_size);
	is_int(get(fd, 1, name, data, &size), 0, "of a damaged one the next");
	is_int((long)size, 0, "is there in its place");
	unlink(path);
	close(fd);
	fd = open("/etc/passwd", O_RDONLY);
	is_int(posix_trace_enclose_np(fd, "x", "", 0), EINVAL, "no log");
	free(long_name);
	return done();
}
