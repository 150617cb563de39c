/* SPDX-License-Identifier: MIT */
/* Which process a stream shall trace, as the caller says it. */
#ifndef PTL_CORE_API_PID_H
#define PTL_CORE_API_PID_H

#include "core/base.h"
#include "core/sys/syscall.h"

#include <trace.h>

PTL_INLINE bool ptl_pid_includes_caller(pid_t pid)
{
	return pid == 0 || pid == ptl_sys_getpid() ||
	       pid == POSIX_TRACE_ALLPROC;
}

#endif
