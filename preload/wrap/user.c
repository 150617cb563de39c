/* SPDX-License-Identifier: MIT */
/*
 * Sees that the process becomes another user.  What it may write to as the
 * former one it gives up, in all threads at once, as libc changes all of them.
 * A change by a system call of the program's own is not seen before the next
 * exec.
 */
#include "preload/libc/libc.h"

#include "core/core.h"

#include "preload/hook/hooks.h"

#include <unistd.h>

PTL_ENTRY int setuid(uid_t uid)
{
	int ret;

	ptl_core_user(true);
	ret = PTL_LIBC(setuid)(uid);
	ptl_core_user(false);
	return ret;
}

PTL_ENTRY int seteuid(uid_t euid)
{
	int ret;

	ptl_core_user(true);
	ret = PTL_LIBC(seteuid)(euid);
	ptl_core_user(false);
	return ret;
}

PTL_ENTRY int setreuid(uid_t ruid, uid_t euid)
{
	int ret;

	ptl_core_user(true);
	ret = PTL_LIBC(setreuid)(ruid, euid);
	ptl_core_user(false);
	return ret;
}

PTL_ENTRY int setresuid(uid_t ruid, uid_t euid, uid_t suid)
{
	int ret;

	ptl_core_user(true);
	ret = PTL_LIBC(setresuid)(ruid, euid, suid);
	ptl_core_user(false);
	return ret;
}
