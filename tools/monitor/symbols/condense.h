/* SPDX-License-Identifier: MIT */
/* What names need of a file, packed, into a log (libptrace-format(5),
 * Symbols). */
#ifndef PTL_TOOLS_MONITOR_SYMBOLS_CONDENSE_H
#define PTL_TOOLS_MONITOR_SYMBOLS_CONDENSE_H

/* A program or library by its path; what is none leaves nothing.
 * Returns why the log could not be written, or 0. */
int ptl_condense_file(int log_fd, int fd, const char *path);

/* A JIT's names of the code that it made for a process. */
int ptl_condense_map(int log_fd, int fd, long pid);

#endif
