/* SPDX-License-Identifier: MIT */
/*
 * Hooks calls and functions of a process that runs and has the library loaded
 * (posix_trace_hook_np), after it has become traced.  A borrowed thread makes
 * all ready; then all threads are stopped for a moment, and what is to be
 * written over functions is written.
 */
#ifndef PTL_TOOLS_INJECT_HOOK_H
#define PTL_TOOLS_INJECT_HOOK_H

#include <stddef.h>
#include <sys/types.h>

/* By these settings, strings that end with an empty one.  NULL, or why not. */
const char *ptl_inject_hook(pid_t pid, const char *library,
			    const char *settings, size_t size);

#endif
