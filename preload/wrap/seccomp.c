/* SPDX-License-Identifier: MIT */
/*
 * Sees that a seccomp filter is about to be installed: from then on a system
 * call of ours might kill the process.  We do not try to find out whether the
 * filter allows it.  Also sees that the CPU's counter, which we read for each
 * event, is about to be forbidden; and that a thread gives itself a name.  The
 * calls themselves are passed on unchanged.
 */
#include "preload/libc/libc.h"

#include "core/core.h"
#include "core/sys/syscall.h"

#include "preload/hook/hooks.h"
#include "preload/launch/filter.h"
#include "preload/wrap/by_number.h"

#include <linux/seccomp.h>
#include <stdarg.h>

/* Strict mode forbids the counter, too. */
#if defined(__x86_64__)
#define STRICT_DENIES true
#else
#define STRICT_DENIES false
#endif

PTL_ENTRY int prctl(int option, ...)
{
	unsigned long arg[4];
	bool denies;
	va_list ap;
	int ret;

	va_start(ap, option);
	for (size_t i = 0; i < PTL_ARRAY_SIZE(arg); i++)
		arg[i] = va_arg(ap, unsigned long);
	va_end(ap);
	denies = (option == PR_SET_TSC && arg[0] == PR_TSC_SIGSEGV) ||
		 (STRICT_DENIES && option == PR_SET_SECCOMP &&
		  arg[0] == SECCOMP_MODE_STRICT);
	if (denies)
		ptl_core_counter(false);
	/* A filter at NULL is a question whether filters are supported. */
	if (option == PR_SET_SECCOMP &&
	    (arg[0] == SECCOMP_MODE_STRICT ||
	     (arg[0] == SECCOMP_MODE_FILTER && arg[1])))
		ptl_filter_comes();
	ret = PTL_LIBC(prctl)(option, arg[0], arg[1], arg[2], arg[3]);
	if (option == PR_SET_NAME && ret == 0 &&
	    ptl_core_wants(PTL_EV_THREAD_NAME))
		ptl_thread_named(ptl_core_tid(), (const char *)arg[0],
				 __builtin_return_address(0));
	if ((denies && ret != 0) ||
	    (option == PR_SET_TSC && arg[0] == PR_TSC_ENABLE && ret == 0))
		ptl_core_counter(true);
	return ret;
}

/* The system call, in place of libc's syscall(). */
PTL_ALIGNS static long prctl_by_number(long number, long option,
				       unsigned long a, unsigned long b,
				       unsigned long c, unsigned long d)
{
	(void)number;
	return prctl((int)option, a, b, c, d);
}

static void *recorder_of(long number)
{
	void *written = (void *)ptl_by_number_find(number);

	return written ? written : ptl_number_find(number);
}

PTL_ALIGNS void *ptl_syscall_hook(long number, unsigned long op,
				  unsigned long flags, const void *filter,
				  unsigned long d, unsigned long e)
{
	bool strict;

	ptl_outsider_hook(number, op, flags, d, e);
	if (number == SYS_prctl)
		return (void *)prctl_by_number;
	if (number != SYS_seccomp) {
		void *recorder = ptl_core_maybe() ? recorder_of(number) : NULL;

		return recorder ? recorder : (void *)PTL_LIBC(syscall);
	}
	/* With flags, strict is libseccomp's question whether the call exists.
	 */
	strict = op == SECCOMP_SET_MODE_STRICT && !flags;
	if (strict && STRICT_DENIES)
		ptl_core_counter(false);
	if (strict || (op == SECCOMP_SET_MODE_FILTER && filter))
		ptl_filter_comes();
	return (void *)PTL_LIBC(syscall);
}
