/* SPDX-License-Identifier: MIT */
/* Lines that are kept to be looked at: what views say, by view/screen.h. */
#ifndef PTL_TOOLS_REPORT_BROWSE_LINES_H
#define PTL_TOOLS_REPORT_BROWSE_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* All zero: none. */
struct ptl_browse_lines {
	char *bytes; /* a null is behind them */
	size_t size, room;
	size_t *at; /* where each begins; one more is the end */
	size_t nr, at_room;
};

/* In place of those that were there: all that is said up to the end, so wide.
 * One at a time. */
void ptl_lines_begin(struct ptl_browse_lines *lines, size_t width);
void ptl_lines_end(struct ptl_browse_lines *lines);
void ptl_lines_free(struct ptl_browse_lines *lines);

/* The line without its newline. */
const char *ptl_lines_get(const struct ptl_browse_lines *lines, size_t i,
			  size_t *size);

/* Does the line have these words, of whatever case? */
bool ptl_lines_has(const struct ptl_browse_lines *lines, size_t i,
		   const char *words);

#endif
