/* SPDX-License-Identifier: MIT */
/* Files that are made of a log; see output.h. */
#include "tools/report/output.h"

#include <trace.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/say.h"

static void __attribute__((noreturn)) fail(const char *path, const char *why)
{
	ptl_say("cannot write %s: %s", path, why);
	exit(1);
}

void ptl_output_open(struct ptl_out *out, const char *path)
{
	int fd = STDOUT_FILENO, error = 0;

	if (strcmp(path, "-") == 0) {
		ptl_out_init(out, fd, "standard output", fail);
		return;
	}
	error = posix_trace_create_logfile_np(path, O_TRUNC, &fd);
	if (error == EEXIST) {
		ptl_say("%s is a trace log: this would overwrite it", path);
		ptl_say_usage();
	}
	/* EINVAL: a device or a pipe has nothing to cut. */
	if (error == 0 && ftruncate(fd, 0) != 0 && errno != EINVAL)
		error = errno;
	if (error != 0)
		fail(path, ptl_say_refused(error));
	ptl_out_init(out, fd, path, fail);
}

void ptl_output_close(struct ptl_out *out)
{
	ptl_out_flush(out);
	if (out->fd != STDOUT_FILENO)
		close(out->fd);
}
