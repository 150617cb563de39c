/* SPDX-License-Identifier: MIT */
/*
 * The lines of source code that a program or library was made of, by address.
 * Without debug information, or where libptrace was built without libdw, none
 * are known.
 */
#ifndef PTL_TOOLS_SYMBOLIZE_LINES_H
#define PTL_TOOLS_SYMBOLIZE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptl_wanted;
struct ptl_lines;

/* A line of a function. */
struct ptl_srcline {
	const char *function; /* NULL: the one that is not inlined */
	char *path;	      /* "/src/dir/file.c:12"; NULL: not known */
	const char *name;     /* "file.c:12", likewise */
};

/* Of the file that was mapped; NULL: it has none, or is not there. */
struct ptl_lines *ptl_lines_open(const struct ptl_wanted *wanted,
				 bool *is_there);

/*
 * Finds what has the call before a return address: the functions that are
 * inlined there, innermost first, and last the one that they are in.  Returns
 * how many; 0: nothing is known.  Valid until the next call.
 */
size_t ptl_lines_find(struct ptl_lines *lines, uint64_t address,
		      const struct ptl_srcline **line);

#endif
