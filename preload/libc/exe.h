/* SPDX-License-Identifier: MIT */
/* The file of the running program. */
#ifndef PTL_PRELOAD_LIBC_EXE_H
#define PTL_PRELOAD_LIBC_EXE_H

#include <stddef.h>

/*
 * The target of /proc/self/exe, in buf; without /proc, argv[0] or "".  For the
 * constructor. argv may be NULL.
 */
const char *ptl_exe_find(char *buf, size_t size, char *const *argv);

#endif
