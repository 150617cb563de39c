/* SPDX-License-Identifier: MIT */
/*
 * Will the dynamic loader load us into this program?  A guess by reading,
 * without changing anything; async-signal-safe, usable in a vfork child.
 */
#ifndef PTL_PRELOAD_LIBC_ELF_H
#define PTL_PRELOAD_LIBC_ELF_H

#include "preload/libc/loader.h"

/*
 * Looks at the file that execveat(dir, path, ...) would run; no path (NULL)
 * means dir itself, and a bad pointer is EFAULT.  Returns 0, or the error
 * number of the check.
 */
int ptl_elf_check(int dir, const char *path, struct ptl_elf *elf);

/* ptl_elf_check() for the file that execvp() would run. */
int ptl_elf_check_search(const char *file, struct ptl_elf *elf);

/* Why a loader, as it finds files now, could not load our own; NULL: it can, or
 * that is unknown. */
const char *ptl_elf_check_library(const char *path);
extern const char ptl_elf_no_library[]; /* it is not there */

#endif
