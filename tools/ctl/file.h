/* SPDX-License-Identifier: MIT */
/* The file of a snapshot: opened by us, written by the controller. */
#ifndef PTL_TOOLS_CTL_FILE_H
#define PTL_TOOLS_CTL_FILE_H

#include <stdbool.h>

struct ptl_ctl_file {
	const char *path;
	int fd;
	bool is_new;
	bool is_stdout; /* fd is memory, to be copied there */
};

/* As a log is opened; - is standard output.  False: that was reported. */
bool ptl_file_open(struct ptl_ctl_file *file, const char *path);

/* Keeps it, if it was written, or else removes what was not there before.
 * False: it could not be kept, which was reported. */
bool ptl_file_close(struct ptl_ctl_file *file, bool is_written);

#endif
