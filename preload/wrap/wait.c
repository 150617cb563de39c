/* SPDX-License-Identifier: MIT */
/*
 * The process that reaps a child knows how it ended, also if the child could
 * not record that itself; and that it waited, and how long.  Recorded after the
 * real call; errno stays as that left it, since nothing behind the seam changes
 * it.  All but waitid() are wait4(), as they are in libc: it tells what the
 * child has used.
 */
#include "preload/libc/libc.h"

#include "core/core.h"
#include "preload/hook/objects.h"
#include "preload/hook/site.h"
#include "preload/wrap/call.h"
#include "preload/wrap/told.h"

#include <errno.h>
#include <sys/resource.h>

/* Stopped and continued children are not reaped.  In our memory a child may
 * have loaded something. */
void ptl_told_reaped(pid_t pid, const int *status, const struct rusage *usage)
{
	if (pid <= 0 || !(WIFEXITED(*status) || WIFSIGNALED(*status)))
		return;
	ptl_core_reaped(pid, *status, usage);
	ptl_objects_settle();
}

void ptl_told_waited(int64_t which, int options, pid_t ret, const int *status,
		     uint64_t since, const void *addr)
{
	int64_t value[6] = {which, (unsigned int)options, ret,
			    ret == -1 ? errno : 0};
	size_t nr = 4;

	if (status)
		value[nr++] = *status;
	value[nr++] = (int64_t)since;
	ptl_call_values(PTL_EV_SYNC_WAITPID, value, nr * sizeof(*value), addr);
}

PTL_ALIGNS static pid_t wait_for(pid_t which, int *status, int options,
				 struct rusage *usage, const void *addr)
{
	uint64_t since = ptl_core_call_begins(PTL_EV_SYNC_WAITPID);
	struct rusage own_usage;
	int own = 0;
	pid_t pid;

	if (!status)
		status = &own;
	if (!usage)
		usage = &own_usage;
	pid = PTL_LIBC(wait4)(which, status, options, usage);
	ptl_told_reaped(pid, status, usage);
	if (since)
		ptl_told_waited(which, options, pid, pid > 0 ? status : NULL,
				since, addr);
	return pid;
}

PTL_ENTRY pid_t wait(int *status)
{
	return wait_for(-1, status, 0, NULL, PTL_SITE_CALLER);
}

PTL_EXPORT pid_t __wait(int *status) __attribute__((alias("wait")));

PTL_ENTRY pid_t waitpid(pid_t which, int *status, int options)
{
	return wait_for(which, status, options, NULL, PTL_SITE_CALLER);
}

PTL_EXPORT pid_t __waitpid(pid_t which, int *status, int options)
	__attribute__((alias("waitpid")));

PTL_ENTRY pid_t wait3(int *status, int options, struct rusage *usage)
{
	return wait_for(-1, status, options, usage, PTL_SITE_CALLER);
}

PTL_ENTRY pid_t wait4(pid_t which, int *status, int options,
		      struct rusage *usage)
{
	return wait_for(which, status, options, usage, PTL_SITE_CALLER);
}

/* The status of wait(2) for the result of waitid(2). */
static int status_of(const siginfo_t *info)
{
	switch (info->si_code) {
	case CLD_EXITED:
		return (info->si_status & 0xff) << 8;
	case CLD_KILLED:
		return info->si_status & 0x7f;
	case CLD_DUMPED:
		return (info->si_status & 0x7f) | 0x80;
	case CLD_CONTINUED:
		return 0xffff;
	default:
		return (info->si_status & 0xff) << 8 | 0x7f;
	}
}

/* As waitpid(2) would say it. */
static int64_t which_of(idtype_t type, id_t id, pid_t child)
{
	switch (type) {
	case P_PID:
		return (int64_t)id;
	case P_PGID:
		return -(int64_t)id;
	case P_ALL:
		return -1;
	default:
		return child;
	}
}

void ptl_told_waitid(idtype_t type, id_t id, const siginfo_t *info, int options,
		     int ret, uint64_t since, const void *addr)
{
	pid_t child = 0;
	int status = 0;

	if (ret == 0 && info->si_pid > 0) {
		child = info->si_pid;
		status = status_of(info);
		if (!(options & WNOWAIT))
			ptl_told_reaped(child, &status, NULL);
	}
	if (since)
		ptl_told_waited(which_of(type, id, child), options,
				ret == 0 ? child : ret,
				child > 0 ? &status : NULL, since, addr);
}

PTL_ENTRY int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	uint64_t since = ptl_core_call_begins(PTL_EV_SYNC_WAITPID);
	siginfo_t own;
	int ret;

	/* The kernel accepts a null pointer, and then reports nothing. */
	if (!info)
		info = &own;
	ret = PTL_LIBC(waitid)(type, id, info, options);
	ptl_told_waitid(type, id, info, options, ret, since, PTL_SITE_CALLER);
	return ret;
}
