/* SPDX-License-Identifier: MIT */
/*
 * Sees a seccomp filter coming: from then on a system call of ours might kill
 * the process.  Whether the filter would allow it is not asked.  The calls
 * themselves go through unchanged.
 */
#include "preload/libc.h"

#include "core/core.h"
#include "core/sys.h"

#include "preload/env.h"
#include "preload/hooks.h"

#include <linux/seccomp.h>
#include <stdarg.h>

/* What memory exec, spawn and vfork will need must be had before. */
static void filter_comes(void)
{
	ptl_scratch_reserve(ptl_env_size(environ));
	ptl_core_no_syscalls();
	ptl_quiet_start();
}

PTL_ENTRY int prctl(int option, ...)
{
	unsigned long arg[4];
	va_list ap;

	va_start(ap, option);
	for (size_t i = 0; i < PTL_ARRAY_SIZE(arg); i++)
		arg[i] = va_arg(ap, unsigned long);
	va_end(ap);
	/* A filter at NULL is how one asks whether there are filters. */
	if (option == PR_SET_SECCOMP &&
	    (arg[0] == SECCOMP_MODE_STRICT ||
	     (arg[0] == SECCOMP_MODE_FILTER && arg[1])))
		filter_comes();
	return PTL_LIBC(prctl)(option, arg[0], arg[1], arg[2], arg[3]);
}

PTL_ALIGNS void *ptl_syscall_hook(long number, unsigned long op,
				  unsigned long flags, const void *filter)
{
	/* With flags, strict is how libseccomp asks for the call itself. */
	if (number == SYS_seccomp &&
	    ((op == SECCOMP_SET_MODE_STRICT && !flags) ||
	     (op == SECCOMP_SET_MODE_FILTER && filter)))
		filter_comes();
	return (void *)PTL_LIBC(syscall);
}
