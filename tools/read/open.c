/* SPDX-License-Identifier: MIT */
/*
 * How a log is opened; see open.h.  The first 16 bytes of a log (magic, byte
 * order, version) are the only ones known here, to say what is wrong with a
 * file that posix_trace_open() refuses.
 */
#include "tools/read/open.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tools/read/packed.h"
#include "tools/lib/say.h"
#include "tools/read/spool.h"
#include "tools/read/unpack.h"

#define LOG_MAGIC "\211PTLOG\r\n"
#define LOG_BYTE_ORDER 0x01020304u
#define LOG_MAJOR 1

#define CUT_HEAD "damaged or cut inside its head; nothing can be read"

/* How long to wait for a log that is about to be ended, in seconds. */
#define PATIENCE 2.0

struct log_start {
	char magic[8];
	uint32_t byte_order;
	uint16_t major, minor;
};

static void say_why(char *why, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void say_why(char *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, PTL_OPEN_WHY_SIZE, format, args);
	va_end(args);
}

/* Why these bytes do not begin a log that can be read here. */
static int explain_start(char *why, const struct log_start *start, size_t size)
{
	size_t compared = size < 8 ? size : 8;

	if (size == 0)
		say_why(why, "empty, not a log");
	else if (memcmp(start->magic, LOG_MAGIC, compared) != 0)
		say_why(why, "not a trace log");
	else if (size < sizeof(*start))
		goto cut;
	else if (start->byte_order == __builtin_bswap32(LOG_BYTE_ORDER))
		say_why(why, "written by a machine of another byte order");
	else if (start->byte_order == LOG_BYTE_ORDER &&
		 start->major != LOG_MAJOR)
		say_why(why, "log format version %u.%u; this program reads %u",
			(unsigned int)start->major, (unsigned int)start->minor,
			LOG_MAJOR);
	else
		goto cut;
	return PTL_EXIT_NO_LOG;
cut:
	say_why(why, CUT_HEAD);
	return PTL_EXIT_DAMAGED;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Has the program ended, but its controller not yet? */
static bool is_about_to_end(trace_id_t trid)
{
	struct posix_trace_info_np info;

	return posix_trace_get_info_np(trid, &info) == 0 &&
	       info.log_state == POSIX_TRACE_LOG_ACTIVE_NP &&
	       !info.lost_unknown && info.live_processes == 0;
}

static bool is_hasty;

void ptl_open_at_once(void)
{
	is_hasty = true;
}

/* So that a dump right after the end of the program shows the whole log. */
static void await_end(struct ptl_opened_log *opened, int fd)
{
	const struct timespec pause = {0, 10000000};
	double begun = seconds();
	trace_id_t trid;

	while (!is_hasty && is_about_to_end(opened->trid) &&
	       seconds() - begun < PATIENCE) {
		nanosleep(&pause, NULL);
		if (posix_trace_open(fd, &trid) != 0)
			return;
		posix_trace_close(opened->trid);
		opened->trid = trid;
	}
}

static int open_file(struct ptl_opened_log *opened, int fd, char *why)
{
	struct log_start start;
	ssize_t size;
	int error = posix_trace_open(fd, &opened->trid);

	if (error == 0) {
		await_end(opened, fd);
		return PTL_EXIT_OK;
	}
	size = error == EINVAL ? pread(fd, &start, sizeof(start), 0) : -1;
	if (size >= 0)
		return explain_start(why, &start, (size_t)size);
	say_why(why, "%s", strerror(error));
	return PTL_EXIT_NO_LOG;
}

/* The first bytes in a pipe, without taking them out. */
static ssize_t peek_pipe(int fd, struct log_start *start)
{
	ssize_t size = -1;
	int copy[2];

	if (pipe(copy) != 0)
		return -1;
	size = tee(fd, copy[1], sizeof(*start), 0);
	if (size > 0)
		size = read(copy[0], start, sizeof(*start));
	close(copy[0]);
	close(copy[1]);
	return size;
}

static bool keeps_pipes;

void ptl_open_keep_pipes(void)
{
	keeps_pipes = true;
}

static bool takes_some;

void ptl_open_some(void)
{
	takes_some = true;
}

/* As posix_trace_open_np(); if pipes are kept, the copy that it would make is
 * made here. */
static int open_copy(struct ptl_opened_log *opened, int fd)
{
	int error;

	if (!keeps_pipes)
		return posix_trace_open_np(fd, &opened->trid);
	opened->copy = ptl_spool_pipe(fd);
	if (opened->copy < 0) {
		error = -opened->copy;
		opened->copy = 0;
		return error;
	}
	error = posix_trace_open(opened->copy, &opened->trid);
	if (error != 0) {
		close(opened->copy);
		opened->copy = 0;
	}
	return error;
}

static int open_pipe(struct ptl_opened_log *opened, int fd, char *why)
{
	struct log_start start;
	ssize_t size = peek_pipe(fd, &start);
	int error = open_copy(opened, fd);

	if (error == 0)
		return PTL_EXIT_OK;
	if (error == EINVAL && size >= 0)
		return explain_start(why, &start, (size_t)size);
	say_why(why, "%s",
		error == EINVAL ? "not a trace log" : strerror(error));
	return PTL_EXIT_NO_LOG;
}

/* False: there can be none, or its name is too long. */
static bool name_part(char *path, const char *log)
{
	return snprintf(path, PATH_MAX, "%s" PTL_PACKED_PART, log) < PATH_MAX;
}

static bool has_part(const char *log)
{
	char path[PATH_MAX];

	return name_part(path, log) && access(path, F_OK) == 0;
}

/* Does the file, or what comes next out of the pipe, begin as zstd does?  One
 * that is empty may not have begun yet. */
static bool is_packed(const char *path, int fd, bool is_file)
{
	struct log_start start;
	ssize_t size = is_file ? pread(fd, &start, sizeof(start), 0) :
				 peek_pipe(fd, &start);

	if (size == 0 && is_file && has_part(path))
		return true;
	return size > 0 && ptl_unpack_knows(&start, (size_t)size);
}

/* The part of a log beside it that is not compressed yet; it is written to its
 * end first, if nobody does that any more.  -1: there is none. */
static int open_part(const char *log)
{
	struct ptl_opened_log opened = {.path = log};
	char path[PATH_MAX];
	int fd;

	if (!name_part(path, log))
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || posix_trace_open(fd, &opened.trid) != 0)
		return fd;
	await_end(&opened, fd);
	posix_trace_close(opened.trid);
	return fd;
}

/* A compressed log.  What is missing of it is missing of the log, too, and said
 * as of others. */
static int open_packed(struct ptl_opened_log *opened, int fd, bool is_file,
		       char *why)
{
	int part = is_file ? open_part(opened->path) : -1, status;
	struct ptl_unpacked made = ptl_unpack(fd, part, is_file && takes_some);

	if (part >= 0)
		close(part);
	if (made.fd < 0) {
		say_why(why, "compressed: %s",
			made.fd == -ENOTSUP ?
				"this was built without zstd (libzstd-dev)" :
				strerror(-made.fd));
		return PTL_EXIT_NO_LOG;
	}
	status = open_file(opened, made.fd, why);
	if (status != PTL_EXIT_OK && made.is_short) {
		say_why(why, made.why != NULL ? "compressed: %s" : CUT_HEAD,
			made.why);
		status = PTL_EXIT_DAMAGED;
	}
	if (status == PTL_EXIT_OK && made.why != NULL)
		ptl_say("%s: compressed: %s: not read on from there",
			opened->path, made.why);
	if (status == PTL_EXIT_OK)
		opened->rest = made.rest;
	else
		ptl_unpack_free(made.rest);
	if (status == PTL_EXIT_OK && (keeps_pipes || made.rest != NULL))
		opened->copy = made.fd;
	else
		close(made.fd);
	return status;
}

int ptl_open_log(struct ptl_opened_log *opened, int fd, char *why)
{
	struct stat st;

	if (fstat(fd, &st) != 0) {
		say_why(why, "%s", strerror(errno));
		return PTL_EXIT_NO_LOG;
	}
	if (S_ISDIR(st.st_mode)) {
		say_why(why, "a directory, not a log");
		return PTL_EXIT_NO_LOG;
	}
	opened->dev = st.st_dev;
	opened->ino = st.st_ino;
	if (is_packed(opened->path, fd, S_ISREG(st.st_mode))) {
		/* Standard input may have been read before. */
		if (S_ISREG(st.st_mode))
			lseek(fd, 0, SEEK_SET);
		return open_packed(opened, fd, S_ISREG(st.st_mode), why);
	}
	if (S_ISREG(st.st_mode))
		return open_file(opened, fd, why);
	return open_pipe(opened, fd, why);
}
