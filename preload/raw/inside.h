/* SPDX-License-Identifier: MIT */
/*
 * What libc and the dynamic linker themselves open (--reach libc): their system
 * calls are patched as a program's own are.  Those that a wrapper of ours makes
 * by a function of libc are recorded by the wrapper alone.
 */
#ifndef PTL_PRELOAD_RAW_INSIDE_H
#define PTL_PRELOAD_RAW_INSIDE_H

#include "core/base.h"

/* For the constructor: is anything patched?  What is not is told. */
bool ptl_inside_begin(void (*entry)(void));

/* Which numbers are looked at. */
bool ptl_inside_means(long number);

/* Is the call made in a function that programs call, too? */
bool ptl_inside_is_called(const void *caller);

#endif
