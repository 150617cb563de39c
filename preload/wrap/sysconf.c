/* SPDX-License-Identifier: MIT */
/*
 * The right answers about the Trace option, which libc claims not to have.  All
 * other names are passed on to libc.  Async-signal-safe; errno is set by libc
 * only, never by our answers.
 */
#include "preload/libc/libc.h"

#include <trace.h>

PTL_EXPORT long sysconf(int name)
{
	switch (name) {
	case _SC_TRACE:
		return _POSIX_TRACE;
	case _SC_TRACE_EVENT_FILTER:
		return _POSIX_TRACE_EVENT_FILTER;
	case _SC_TRACE_INHERIT:
		return _POSIX_TRACE_INHERIT;
	case _SC_TRACE_LOG:
		return _POSIX_TRACE_LOG;
	case _SC_TRACE_EVENT_NAME_MAX:
		return TRACE_EVENT_NAME_MAX;
	case _SC_TRACE_NAME_MAX:
		return TRACE_NAME_MAX;
	case _SC_TRACE_SYS_MAX:
		return TRACE_SYS_MAX;
	case _SC_TRACE_USER_EVENT_MAX:
		return TRACE_USER_EVENT_MAX;
	default:
		return PTL_LIBC(sysconf)(name);
	}
}

PTL_EXPORT long __sysconf(int name) __attribute__((alias("sysconf")));
