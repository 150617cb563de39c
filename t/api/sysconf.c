/* SPDX-License-Identifier: MIT */
/* sysconf() tells the truth about the option and its limits, and all else as
 * libc does. */
#include <trace.h>

#include "t/lib/tap.h"

#include <errno.h>

static void is_conf(int name, long want, const char *what)
{
	errno = 77;
	is_int(sysconf(name), want, "[sysconf.1 sysconf.2] %s", what);
	is_int(errno, 77, "[sysconf.3] %s: errno is left alone", what);
}

int main(void)
{
	plan(22);
	is_conf(_SC_TRACE, _POSIX_TRACE, "TRACE");
	is_conf(_SC_TRACE_EVENT_FILTER, _POSIX_TRACE_EVENT_FILTER,
		"TRACE_EVENT_FILTER");
	is_conf(_SC_TRACE_INHERIT, _POSIX_TRACE_INHERIT, "TRACE_INHERIT");
	is_conf(_SC_TRACE_LOG, _POSIX_TRACE_LOG, "TRACE_LOG");
	is_conf(_SC_TRACE_EVENT_NAME_MAX, TRACE_EVENT_NAME_MAX,
		"TRACE_EVENT_NAME_MAX");
	is_conf(_SC_TRACE_NAME_MAX, TRACE_NAME_MAX, "TRACE_NAME_MAX");
	is_conf(_SC_TRACE_SYS_MAX, TRACE_SYS_MAX, "TRACE_SYS_MAX");
	is_conf(_SC_TRACE_USER_EVENT_MAX, TRACE_USER_EVENT_MAX,
		"TRACE_USER_EVENT_MAX");
	is_conf(_SC_PAGESIZE, getpagesize(), "another's name");
	errno = 77;
	is_int(sysconf(-1), -1, "[sysconf.3] no name");
	is_int(errno, EINVAL, "[sysconf.3] no name: EINVAL");
	errno = 77;
	is_int(sysconf(_SC_THREAD_PROCESS_SHARED) > 0, 1, "an option of libc");
	is_int(errno, 77, "an option of libc: errno is left alone");
	return done();
}
