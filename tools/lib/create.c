/* SPDX-License-Identifier: MIT */
/* Files that are made of a log; see create.h. */
#include "tools/lib/create.h"

#include <trace.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/lib/say.h"

int ptl_create_file(const char *path, int *fd)
{
	int error = posix_trace_create_logfile_np(path, O_TRUNC, fd);

	if (error == EEXIST) {
		ptl_say("%s is a trace log: this would overwrite it", path);
		ptl_say_usage();
	}
	/* EINVAL: a device or a pipe has nothing to cut. */
	if (error == 0 && ftruncate(*fd, 0) != 0 && errno != EINVAL)
		error = errno;
	return error;
}

void ptl_create_undo(const char *path, int fd)
{
	struct stat st, there;

	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    lstat(path, &there) == 0 && st.st_ino == there.st_ino &&
	    st.st_dev == there.st_dev)
		unlink(path);
}
