/* SPDX-License-Identifier: MIT */
/*
 * Will the dynamic loader load us into this program?  A guess by reading,
 * without changing anything; async-signal-safe, usable in a vfork child.
 */
#ifndef PTL_PRELOAD_LIBC_ELF_H
#define PTL_PRELOAD_LIBC_ELF_H

#include "core/base.h"

/*
 * Looks at the file that execveat(dir, path, ...) would run; no path (NULL)
 * means dir itself, and a bad pointer is EFAULT.  Sets *reason to a word or two
 * if the file cannot be traced, to NULL if it can or if that is unknown.
 * Returns 0, or the error number of the check.
 */
int ptl_elf_check(int dir, const char *path, const char **reason);

/* The same for the file that execvp() would run. */
int ptl_elf_check_search(const char *file, const char **reason);

#endif
