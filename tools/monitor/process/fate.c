/* SPDX-License-Identifier: MIT */
/* See fate.h. */
#include "tools/monitor/process/fate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Every log begins with this byte; an empty place in a file with none. */
static bool has_begin(int fd)
{
	char byte = 0;

	return pread(fd, &byte, 1, 0) != 1 || byte != 0;
}

static bool write_all(int fd, const char *data, size_t size)
{
	while (size > 0) {
		ssize_t written = write(fd, data, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return false;
		data += written;
		size -= (size_t)written;
	}
	return true;
}

static bool copy(int from, int to)
{
	char buf[65536];
	off_t at = 0;
	ssize_t got;

	while ((got = pread(from, buf, sizeof(buf), at)) > 0) {
		if (!write_all(to, buf, (size_t)got))
			return false;
		at += got;
	}
	return got == 0;
}

/* Returns 0 or the error number. */
static int save_as(int fd, const char *path)
{
	int to, error = posix_trace_create_logfile_np(path, O_EXCL, &to);

	if (error != 0)
		return error;
	if (!copy(fd, to))
		error = errno;
	if (close(to) != 0 && error == 0)
		error = errno;
	if (error != 0)
		unlink(path);
	return error;
}

static enum ptl_fate save(int fd, const char *path)
{
	int error = save_as(fd, path);
	char *other;

	if (error == 0)
		return PTL_FATE_BACK;
	if (error == EEXIST &&
	    asprintf(&other, "%s" PTL_FATE_SUFFIX, path) >= 0) {
		error = save_as(fd, other);
		free(other);
		if (error == 0)
			return PTL_FATE_RECOVERED;
	}
	errno = error;
	return PTL_FATE_REMOVED;
}

bool ptl_fate_has_name(int fd)
{
	struct stat own;

	return fstat(fd, &own) == 0 && own.st_nlink > 0;
}

enum ptl_fate ptl_fate_of(int fd, const char *path, bool had_name,
			  const struct posix_trace_info_np *info)
{
	struct stat own, named;

	if (fstat(fd, &own) != 0 || !S_ISREG(own.st_mode))
		return PTL_FATE_NONE;
	if (info->log_state == POSIX_TRACE_LOG_DAMAGED_NP ||
	    (unsigned long long)own.st_size < info->log_size || !has_begin(fd))
		return PTL_FATE_CUT;
	/* Whoever opened it for us has its name. */
	if (path[0] != '/')
		return PTL_FATE_NONE;
	if (own.st_nlink == 0)
		return had_name ? PTL_FATE_NONE : save(fd, path);
	if (stat(path, &named) == 0 ?
		    named.st_dev != own.st_dev || named.st_ino != own.st_ino :
		    errno == ENOENT)
		return PTL_FATE_MOVED;
	return PTL_FATE_NONE;
}
