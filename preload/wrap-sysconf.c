/* SPDX-License-Identifier: MIT */
/*
 * The truth about the Trace option, which libc says it has not.  All other
 * names go to libc unchanged.  Async-signal-safe; errno is as libc leaves it,
 * and answers of ours leave it alone.
 */
#include "preload/libc.h"

#include <trace.h>

/*
 * An allocator behind us may ask for the size of a page while dlsym() makes
 * the table: its row is enough then, and no second attempt at the table.
 */
static long others(int name)
{
	__typeof__(&sysconf) real = ptl_libc_table.sysconf;

	return real ? real(name) : libc()->sysconf(name);
}

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
		return others(name);
	}
}

PTL_EXPORT long __sysconf(int name) __attribute__((alias("sysconf")));
