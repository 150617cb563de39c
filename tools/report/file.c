/* SPDX-License-Identifier: MIT */
/* Files that are made of a log; see file.h. */
#include "tools/report/file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/create.h"
#include "tools/lib/say.h"

/* What is being written; -1: nothing that could be removed. */
static int opened = -1;

static void __attribute__((noreturn)) fail(const char *path, const char *why)
{
	ptl_say("cannot write %s: %s", path, why);
	if (opened >= 0)
		ptl_create_undo(path, opened);
	exit(1);
}

void ptl_report_file_open(struct ptl_out *out, const char *path)
{
	int fd = STDOUT_FILENO, error;

	if (strcmp(path, "-") == 0) {
		ptl_out_init(out, fd, "standard output", fail);
		return;
	}
	error = ptl_create_file(path, &fd);
	if (error != 0)
		fail(path, ptl_say_refused(error));
	opened = fd;
	ptl_out_init(out, fd, path, fail);
}

void ptl_report_file_close(struct ptl_out *out)
{
	ptl_out_flush(out);
	if (out->fd != STDOUT_FILENO)
		close(out->fd);
	opened = -1;
}
