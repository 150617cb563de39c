/* SPDX-License-Identifier: MIT */
/*
 * Programs with a C library of their own (Nix, AppImage, another system in a
 * directory) may have an older one than we can be loaded with.  Then ld.so does
 * not leave us out: it does not start the program.
 */
#ifndef PTL_PRELOAD_LIBC_OLDER_H
#define PTL_PRELOAD_LIBC_OLDER_H

#include "core/base.h"

/* Is it known that the libraries beside this loader lack a version of symbols
 * that we need? */
bool ptl_older_beside(const char *loader);

#endif
