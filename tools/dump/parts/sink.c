/* SPDX-License-Identifier: MIT */
/*
 * Where the output goes; see sink.h.  It is made from a log, so nobody else may
 * read it, and it goes into nothing that is another user's.
 */
#include "tools/dump/parts/sink.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/lib/create.h"
#include "tools/lib/say.h"

/* What was opened to be written. */
static struct {
	const char *path; /* NULL: nothing that could be removed */
	int fd;
	bool is_directory;
	bool is_made; /* the directory was not there before */
} output;

static bool same_device(int a, int b)
{
	struct stat sa, sb;

	return fstat(a, &sa) == 0 && fstat(b, &sb) == 0 &&
	       sa.st_dev == sb.st_dev;
}

/* A directory of files, and of such directories: nothing that is mounted there
 * is ours. */
static void remove_inside(int fd)
{
	DIR *dir = fdopendir(fd);
	const struct dirent *entry;

	if (dir != NULL)
		rewinddir(dir); /* check_empty() has read it */
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		const char *name = entry->d_name;
		int inside;

		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
			continue;
		inside =
			openat(dirfd(dir), name,
			       O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (inside >= 0 && !same_device(inside, dirfd(dir))) {
			close(inside);
			continue;
		}
		if (inside >= 0)
			remove_inside(inside);
		unlinkat(dirfd(dir), name, inside >= 0 ? AT_REMOVEDIR : 0);
	}
	if (dir != NULL)
		closedir(dir);
}

static void remove_output(void)
{
	if (output.path == NULL)
		return;
	if (output.is_directory) {
		remove_inside(output.fd);
		if (output.is_made)
			rmdir(output.path);
	} else {
		ptl_create_undo(output.path, output.fd);
	}
}

static void __attribute__((noreturn)) fail(const char *path, const char *why)
{
	ptl_say("cannot write %s: %s", path, why);
	remove_output();
	exit(PTL_EXIT_DAMAGED);
}

static int open_file(const char *path)
{
	int fd, error;

	if (path == NULL)
		return STDOUT_FILENO;
	error = ptl_create_file(path, &fd);
	if (error != 0)
		fail(path, ptl_say_refused(error));
	return fd;
}

/* A program that reads a trace's directory takes all that is in it. */
static int check_empty(int fd)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0), error = 0;
	DIR *dir = copy >= 0 ? fdopendir(copy) : NULL;
	const struct dirent *entry;

	if (dir == NULL)
		return errno;
	while (error == 0 && (entry = readdir(dir)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			error = ENOTEMPTY;
	closedir(dir);
	return error;
}

/* A new one, or an empty one of our own. */
static int open_directory(const char *path)
{
	struct stat st;
	int fd, error = 0;

	output.is_made = mkdir(path, 0700) == 0;
	if (!output.is_made && errno != EEXIST)
		fail(path, strerror(errno));
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0)
		fail(path, strerror(errno));
	error = st.st_uid == geteuid() ? check_empty(fd) : EPERM;
	if (error == 0 && fchmod(fd, 0700) != 0)
		error = errno;
	if (error != 0)
		fail(path, ptl_say_refused(error));
	return fd;
}

/* A new file, or an empty one of our own. */
static int open_new_file(const char *path)
{
	int flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC, error = 0, fd;
	struct stat st;

	fd = open(path, flags | O_CREAT | O_EXCL, 0600);
	if (fd < 0 && errno == EEXIST)
		fd = open(path, flags | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st) != 0)
		fail(path, strerror(errno));
	if (!S_ISREG(st.st_mode) || st.st_size > 0) {
		ptl_say("cannot write %s: it exists, and is not an empty file",
			path);
		exit(PTL_EXIT_DAMAGED);
	}
	if (st.st_uid != geteuid())
		error = EPERM;
	else if (st.st_nlink != 1)
		error = EMLINK;
	else if (fchmod(fd, 0600) != 0)
		error = errno;
	if (error != 0)
		fail(path, ptl_say_refused(error));
	return fd;
}

void ptl_sink_fail(const struct ptl_sink *sink, const char *why)
{
	fail(sink->path, why);
}

void ptl_sink_open(struct ptl_sink *sink, const struct ptl_format *format,
		   struct ptl_merge *merge, const char *path)
{
	sink->format = format;
	sink->merge = merge;
	sink->directory = -1;
	sink->path = format->wants_new_file ? path : NULL;
	if (format->wants_new_file)
		sink->out.fd = open_new_file(path);
	else if (format->wants_directory)
		sink->directory = open_directory(path);
	else
		ptl_out_init(&sink->out, open_file(path),
			     path != NULL ? path : "standard output", fail);
	output.path = path;
	output.fd = sink->directory >= 0 ? sink->directory : sink->out.fd;
	output.is_directory = sink->directory >= 0;
}

void ptl_sink_close(struct ptl_sink *sink)
{
	if (sink->directory >= 0)
		close(sink->directory);
	else if (sink->path != NULL)
		close(sink->out.fd);
	else
		ptl_out_flush(&sink->out);
}

static void open_inside(const struct ptl_sink *sink, const char *name,
			int flags, struct ptl_out *out)
{
	int fd = openat(sink->directory, name,
			O_WRONLY | O_NOFOLLOW | O_CLOEXEC | flags, 0600);

	if (fd < 0)
		fail(name, strerror(errno));
	ptl_out_init(out, fd, name, fail);
}

void ptl_sink_create(const struct ptl_sink *sink, const char *name,
		     struct ptl_out *out)
{
	open_inside(sink, name, O_CREAT | O_EXCL, out);
}

void ptl_sink_append(const struct ptl_sink *sink, const char *name,
		     struct ptl_out *out)
{
	open_inside(sink, name, O_APPEND, out);
}

void ptl_sink_mkdir(const struct ptl_sink *sink, const char *name)
{
	if (mkdirat(sink->directory, name, 0700) != 0)
		fail(name, strerror(errno));
}
