/* SPDX-License-Identifier: MIT */
/* The file or pipe for the log. */
#ifndef PTL_TOOLS_MONITOR_OUTPUT_OUTPUT_H
#define PTL_TOOLS_MONITOR_OUTPUT_OUTPUT_H

#include <stdbool.h>
#include <sys/types.h>

#include "preload/settings/settings.h"

struct ptl_output {
	char *path; /* with what stands for %h and the like; or |CMD */
	int fd;
	/* Of a compressed log: fd is the part that is not compressed yet, and
	 * this its name; NULL: there is none. */
	char *part;
	int packed_fd;	 /* of path */
	pid_t command;	 /* our child, to wait for; 0: none */
	bool is_default; /* the name is not the user's choice */
};

/*
 * Opens the output of the settings; name and pid are for the default name.  A
 * file is locked as long as its descriptor, or a duplicate, is open.  A command
 * is started with env as its environment, and if detached, not as our child.
 * Returns 0, or the error number after reporting it.
 */
int ptl_output_open(struct ptl_output *output,
		    const struct ptl_settings *settings, const char *name,
		    pid_t pid, char *const *env, bool is_detached);

/* Is the log to be compressed?  By --compress, or the name of its file. */
bool ptl_output_wants_packed(const struct ptl_settings *settings);

/* Why it cannot be; NULL: it can.  By the library's variables it is not then.
 */
const char *ptl_output_why_not_packed(const struct ptl_settings *settings);

/* Does the log go to standard output (-)?  Then the second function makes the
 * command's standard output go to standard error. */
bool ptl_output_is_stdout(const struct ptl_settings *settings);
void ptl_output_leave_stdout(const struct ptl_settings *settings);

void ptl_output_close(struct ptl_output *output);

/* For the log of a command that did not run: removes it if its name is ours. */
void ptl_output_discard(const struct ptl_output *output);

/* Waits until the command that reads the log has read it. */
void ptl_output_wait(struct ptl_output *output);

#endif
