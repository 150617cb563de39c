/* SPDX-License-Identifier: MIT */
/* A command of ptrace-ctl.  The rows are in commands.def. */
#ifndef PTL_TOOLS_CTL_COMMAND_H
#define PTL_TOOLS_CTL_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#define PTL_CTL_USAGE_LINES 3

struct ptl_ctl_command {
	const char *name;
	const char *option;  /* that goes with it, or NULL */
	size_t nr_arguments; /* filter has as many as there are */
	bool is_slow;	     /* as the disk may be */
	const char *lacks;   /* what is missing without them */

	/* What the usage text says, on the left and on the right. */
	struct {
		const char *how, *help;
	} usage[PTL_CTL_USAGE_LINES];
};

#endif
