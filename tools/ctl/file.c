/* SPDX-License-Identifier: MIT */
/*
 * The file of a snapshot; see file.h.  Only a regular file is given to a
 * controller, which could wait for ever for the reader of a pipe.
 */
#include "tools/ctl/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <trace.h>
#include <unistd.h>

#include "tools/lib/say.h"

static bool open_stdout(struct ptl_ctl_file *file)
{
	if (isatty(STDOUT_FILENO)) {
		ptl_say("snapshot: a log is not for a terminal");
		return false;
	}
	file->is_stdout = true;
	file->fd = memfd_create("snapshot", MFD_CLOEXEC);
	if (file->fd < 0)
		ptl_say("snapshot: no memory for it: %s", strerror(errno));
	return file->fd >= 0;
}

/* What opening it would wait for a reader of is not opened. */
static bool is_pipe(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && !S_ISREG(status.st_mode) &&
	       !S_ISDIR(status.st_mode);
}

bool ptl_file_open(struct ptl_ctl_file *file, const char *path)
{
	int error;

	*file = (struct ptl_ctl_file){.path = path, .fd = -1};
	if (strcmp(path, "-") == 0)
		return open_stdout(file);
	if (is_pipe(path)) {
		ptl_say("cannot write %s: it is not a regular file (- is "
			"standard output)",
			path);
		return false;
	}
	error = posix_trace_create_logfile_np(path, O_EXCL, &file->fd);
	file->is_new = error == 0;
	if (error == EEXIST)
		error = posix_trace_create_logfile_np(path, 0, &file->fd);
	if (error != 0)
		ptl_say("cannot write %s: %s", path, ptl_say_refused(error));
	return error == 0;
}

/* Returns 0 or the error number. */
static int copy_out(int fd)
{
	char buf[65536];
	ssize_t got, put = 0;

	if (lseek(fd, 0, SEEK_SET) != 0)
		return errno;
	while ((got = read(fd, buf, sizeof(buf))) > 0)
		for (ssize_t at = 0; at < got; at += put) {
			put = write(STDOUT_FILENO, buf + at,
				    (size_t)(got - at));
			if (put < 0)
				return errno;
		}
	return got < 0 ? errno : 0;
}

bool ptl_file_close(struct ptl_ctl_file *file, bool is_written)
{
	int error = 0;

	if (is_written && file->is_stdout)
		error = copy_out(file->fd);
	if (error != 0)
		ptl_say("cannot write to standard output: %s", strerror(error));
	if (!is_written && file->is_new)
		unlink(file->path);
	close(file->fd);
	return error == 0;
}
