/* SPDX-License-Identifier: MIT */
/*
 * Loads the library into a process that was started without it, and points the
 * process' calls to it (posix_trace_interpose_np).
 *
 * One thread, which waits in a system call, is borrowed to call dlopen().
 * Whatever becomes of us meanwhile, it finds its way back by itself: thread.c.
 */
#ifndef PTL_TOOLS_INJECT_INJECT_H
#define PTL_TOOLS_INJECT_INJECT_H

#include <sys/types.h>

/* Returns NULL, also if it is there already; or why it was not done. */
const char *ptl_inject(pid_t pid, const char *library);

#endif
