/* SPDX-License-Identifier: MIT */
/* Our own files that are in one directory, libexec/libptrace, of an
 * installation or of a build tree: they are found wherever that is. */
#ifndef PTL_TOOLS_LIB_BESIDE_H
#define PTL_TOOLS_LIB_BESIDE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The path of the file of that name in the directory of the running program,
 * whether it is there or not; of "": that directory, with its slash.  False: it
 * does not fit, or there is no /proc; errno is set.
 */
bool ptl_beside(char *path, size_t room, const char *name);

#endif
