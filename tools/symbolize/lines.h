/* SPDX-License-Identifier: MIT */
/*
 * The lines of source code that a program or library was made of, by address.
 * Without debug information, or where libptrace was built without libdw, none
 * are known.
 */
#ifndef PTL_TOOLS_SYMBOLIZE_LINES_H
#define PTL_TOOLS_SYMBOLIZE_LINES_H

#include "tools/symbolize/find.h"

struct ptl_lines;

/* Of the file that was mapped; NULL: it has none. */
struct ptl_lines *ptl_lines_open(const struct ptl_wanted *wanted);

/*
 * "file.c:12", or the whole "/src/dir/file.c:12": the line that has the call
 * before a return address; of a function that is inlined there, its own.  NULL
 * if it is not known.  Valid until the next call.
 */
const char *ptl_lines_find(struct ptl_lines *lines, uint64_t address,
			   bool is_whole);

#endif
