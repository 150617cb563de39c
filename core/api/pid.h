/* SPDX-License-Identifier: MIT */
/* Which process a stream shall trace, as the caller says it. */
#ifndef PTL_CORE_API_PID_H
#define PTL_CORE_API_PID_H

#include "core/record/attached.h"
#include "core/sys/syscall.h"

#include <errno.h>
#include <trace.h>

PTL_INLINE bool ptl_pid_includes_caller(pid_t pid)
{
	return pid == 0 || pid == ptl_sys_getpid() ||
	       pid == POSIX_TRACE_ALLPROC;
}

/* A process that is not in the registry would see none of its own events. */
PTL_INLINE int ptl_pid_why_unlisted(void)
{
	if (ptl_registry_says(ptl_attached_entry(), PTL_ENTRY_UNLISTED))
		return ENOMEM;
	return atomic_load_explicit(&ptl_attached.failed, memory_order_relaxed);
}

#endif
