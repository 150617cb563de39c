/* SPDX-License-Identifier: MIT */
/*
 * The real functions behind our wrappers: PTL_LIBC(fork)().  preload/ calls
 * an intercepted function in no other way.
 */
#ifndef PTL_PRELOAD_LIBC_LIBC_H
#define PTL_PRELOAD_LIBC_LIBC_H

#ifdef _FILE_OFFSET_BITS
#error "_FILE_OFFSET_BITS would silently rename our open() to open64()"
#endif

#include "core/base.h"

#include <dlfcn.h>
#include <sched.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

/* What is deprecated is used nevertheless. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
struct ptl_libc {
#define CALL(name, family) __typeof__(&name) name;
#include "preload/libc/calls.def"
#undef CALL
};
#pragma GCC diagnostic pop

/* What was found; NULL: not looked for yet. */
extern struct ptl_libc ptl_libc_table;

/* Finds what is at that offset of the table, and puts it there. */
void *ptl_libc_find(size_t offset);

/* Most processes call few of them: they are looked up one by one. */
PTL_INLINE void *ptl_libc_get(size_t offset)
{
	void *real = __atomic_load_n(
		(void **)(void *)((char *)&ptl_libc_table + offset),
		__ATOMIC_RELAXED);

	return PTL_LIKELY(real) ? real : ptl_libc_find(offset);
}

#define PTL_LIBC(name) \
	((__typeof__(ptl_libc_table.name))ptl_libc_get( \
		offsetof(struct ptl_libc, name)))

#endif
