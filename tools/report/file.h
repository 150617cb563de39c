/* SPDX-License-Identifier: MIT */
/* Files that are made of a log. */
#ifndef PTL_TOOLS_REPORT_FILE_H
#define PTL_TOOLS_REPORT_FILE_H

#include "tools/lib/out.h"

/*
 * Opens the file for writing; "-" is standard output.  It is made from a log,
 * so nobody else may read it.  What cannot be opened ends the program: with a
 * line that says why, and its status.
 */
void ptl_report_file_open(struct ptl_out *out, const char *path);
void ptl_report_file_close(struct ptl_out *out);

#endif
