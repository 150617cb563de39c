/* SPDX-License-Identifier: MIT */
/*
 * System calls by their numbers that are recorded as functions written out:
 * waiting for children, and signal handlers.  For syscall(), and for what a
 * program makes past libc (preload/raw).
 */
#ifndef PTL_PRELOAD_WRAP_BY_NUMBER_H
#define PTL_PRELOAD_WRAP_BY_NUMBER_H

#include "core/base.h"

/* The call as libc's syscall() makes it: -1 and errno. */
typedef long ptl_by_number(long number, long a, long b, long c, long d, long e,
			   long f);

/* In place of libc's syscall(), with its arguments; or NULL. */
ptl_by_number *ptl_by_number_find(long number);

/* rt_sigaction(2), made so, from there. */
long ptl_by_number_action(ptl_by_number *make, const void *caller,
			  const long arg[6]);

#endif
