/* SPDX-License-Identifier: MIT */
/* Logs that cannot be opened, said on stderr: of a few a line for each, of many
 * one for each reason. */
#ifndef PTL_TOOLS_READ_LEFT_OUT_H
#define PTL_TOOLS_READ_LEFT_OUT_H

#include <stddef.h>

/* Logs that cannot be opened; all zero at first. */
struct ptl_left_out {
	struct ptl_left_out_log *log;
	size_t nr, room;
};

/* The path must last; `why' is copied. */
void ptl_left_out_add(struct ptl_left_out *left, const char *path,
		      const char *why);
/* Says it, and forgets them. */
void ptl_left_out_say(struct ptl_left_out *left);

#endif
