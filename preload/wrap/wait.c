/* SPDX-License-Identifier: MIT */
/*
 * The process that reaps a child knows how it ended, also if the child could
 * not record that itself.  Recorded after the real call; errno stays as that
 * left it, since nothing behind the seam changes it.  All but waitid() are
 * wait4(), as they are in libc: it tells what the child has used.
 */
#include "preload/libc/libc.h"

#include "core/core.h"

#include <sys/resource.h>

/* Stopped and continued children are not reaped. */
static void reaped(pid_t pid, const int *status, const struct rusage *usage)
{
	if (pid > 0 && (WIFEXITED(*status) || WIFSIGNALED(*status)))
		ptl_core_reaped(pid, *status, usage);
}

PTL_ALIGNS static pid_t wait_for(pid_t which, int *status, int options,
				 struct rusage *usage)
{
	struct rusage own_usage;
	int own = 0;
	pid_t pid;

	if (!status)
		status = &own;
	if (!usage)
		usage = &own_usage;
	pid = PTL_LIBC(wait4)(which, status, options, usage);
	reaped(pid, status, usage);
	return pid;
}

PTL_ENTRY pid_t wait(int *status)
{
	return wait_for(-1, status, 0, NULL);
}

PTL_EXPORT pid_t __wait(int *status) __attribute__((alias("wait")));

PTL_ENTRY pid_t waitpid(pid_t which, int *status, int options)
{
	return wait_for(which, status, options, NULL);
}

PTL_EXPORT pid_t __waitpid(pid_t which, int *status, int options)
	__attribute__((alias("waitpid")));

PTL_ENTRY pid_t wait3(int *status, int options, struct rusage *usage)
{
	return wait_for(-1, status, options, usage);
}

PTL_ENTRY pid_t wait4(pid_t which, int *status, int options,
		      struct rusage *usage)
{
	return wait_for(which, status, options, usage);
}

/* The status of wait(2) for the result of waitid(2); -1: the child has not
 * ended. */
static int status_of(const siginfo_t *info)
{
	switch (info->si_code) {
	case CLD_EXITED:
		return (info->si_status & 0xff) << 8;
	case CLD_KILLED:
		return info->si_status & 0x7f;
	case CLD_DUMPED:
		return (info->si_status & 0x7f) | 0x80;
	default:
		return -1;
	}
}

PTL_ENTRY int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	siginfo_t own;
	int ret, status;

	/* The kernel accepts a null pointer, and then reports nothing. */
	if (!info)
		info = &own;
	ret = PTL_LIBC(waitid)(type, id, info, options);
	if (ret == 0 && info->si_pid > 0 && !(options & WNOWAIT)) {
		status = status_of(info);
		if (status >= 0)
			reaped(info->si_pid, &status, NULL);
	}
	return ret;
}
