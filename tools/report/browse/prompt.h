/* SPDX-License-Identifier: MIT */
/* A line that the user types, at the bottom of the terminal. */
#ifndef PTL_TOOLS_REPORT_BROWSE_PROMPT_H
#define PTL_TOOLS_REPORT_BROWSE_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#define PTL_PROMPT_SIZE 512

/*
 * Asks for it, with what it is at first, and above it a line that says what it
 * may be.  Returns false, and does not change it, if the user does not want to.
 * draw() draws what is above these lines.
 */
bool ptl_prompt(const char *asked, const char *help, char text[PTL_PROMPT_SIZE],
		void (*draw)(void *of), void *of);

#endif
