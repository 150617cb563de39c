/* SPDX-License-Identifier: MIT */
/*
 * Reading what the program hands to the kernel, which returns EFAULT where we
 * would die.  The kernel is asked once for each page that is come to.  Under a
 * seccomp filter it is not asked, and what the program says is believed.
 */
#ifndef PTL_PRELOAD_LIBC_READABLE_H
#define PTL_PRELOAD_LIBC_READABLE_H

#include "core/base.h"
#include "core/sys/syscall.h"

#include "preload/libc/scratch.h"

/* In *page is the one that was found readable last; 0: none. */
PTL_INLINE bool ptl_readable(uintptr_t *page, const void *at)
{
	uintptr_t now = (uintptr_t)at >> 12;

	if (now == *page && now)
		return true;
	if (!now || (!ptl_is_quiet() && !ptl_sys_may_read((uintptr_t)at)))
		return false;
	*page = now;
	return true;
}

/* A pointer, which need not be aligned. */
PTL_INLINE bool ptl_readable_pointer(uintptr_t *page, const void *at)
{
	return ptl_readable(page, at) &&
	       ptl_readable(page, (const char *)at + sizeof(void *) - 1);
}

/* A string, up to that byte, or its end. */
PTL_INLINE bool ptl_readable_to(uintptr_t *page, const char *s, char end)
{
	while (ptl_readable(page, s)) {
		if (!*s || *s == end)
			return true;
		s++;
	}
	return false;
}

#endif
