/* SPDX-License-Identifier: MIT */
/* Where a process is. */
#ifndef PTL_PRELOAD_LIBC_CWD_H
#define PTL_PRELOAD_LIBC_CWD_H

#include "core/sys/syscall.h"

#include "preload/libc/scratch.h"

/* The current directory; "" if it is not known: it is gone, its path is longer
 * than that, or asking is forbidden.  Returns buf. */
PTL_INLINE const char *ptl_cwd(char *buf, size_t size)
{
	/* Of one outside of our root the kernel says "(unreachable)...". */
	if (ptl_is_quiet() || ptl_sys(SYS_getcwd, buf, size, 0, 0) <= 0 ||
	    buf[0] != '/')
		buf[0] = '\0';
	return buf;
}

#endif
