/* SPDX-License-Identifier: MIT */
/* Which program this is. */
#ifndef PTL_PRELOAD_LIBC_EXE_H
#define PTL_PRELOAD_LIBC_EXE_H

#include <stddef.h>

/*
 * What /proc/self/exe leads to, in buf; if there is no /proc, argv[0], or "".
 * For the constructor.  Argv may be NULL.
 */
const char *ptl_exe_find(char *buf, size_t size, char *const *argv);

#endif
