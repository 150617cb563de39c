/* SPDX-License-Identifier: MIT */
/* Copies of logs that cannot be read, or not once more, where they are. */
#ifndef PTL_TOOLS_READ_SPOOL_H
#define PTL_TOOLS_READ_SPOOL_H

#include <stddef.h>

/*
 * A descriptor, not 0, of a file in memory with all that the pipe still has to
 * give; a negative error number if that cannot be: -EINVAL as soon as it is
 * clear that it is no log, since some devices have no end.
 */
int ptl_spool_pipe(int fd);

/* A file without a name, on disk if that can be; or a negative error number. */
int ptl_spool_file(void);

/* All of the bytes; returns 0 or the error number. */
int ptl_spool_write(int fd, const char *bytes, size_t size);

#endif
