/* SPDX-License-Identifier: MIT */
/*
 * Sees that a task will have thread-local storage that is not libc's (core.h),
 * by syscall(): clone, clone3, and on x86-64 arch_prctl.  clone() itself is in
 * fork.c; who uses an instruction of his own for it is not seen.
 */
#include "core/core.h"

#include "preload/hook/hooks.h"
#include "preload/wrap/call.h"

#include <linux/sched.h>
#include <sys/syscall.h>

static void by_clone3(unsigned long a, unsigned long size)
{
	const struct clone_args *args = (const struct clone_args *)a;

	if (size >= CLONE_ARGS_SIZE_VER0 &&
	    ptl_call_readable(args, CLONE_ARGS_SIZE_VER0) &&
	    args->flags & CLONE_SETTLS)
		ptl_core_outsider_comes((const void *)args->tls);
}

#if defined(__x86_64__)

#include <asm/prctl.h>

#define CLONE_TLS(d, e) ((const void *)(e))

static void by_number(long number, unsigned long a, unsigned long b)
{
	if (number == SYS_arch_prctl && a == ARCH_SET_FS)
		ptl_core_outsider_turns((const void *)b);
}

#else

#define CLONE_TLS(d, e) ((const void *)(d))

static void by_number(long number, unsigned long a, unsigned long b)
{
	(void)number, (void)a, (void)b;
}

#endif

void ptl_outsider_hook(long number, unsigned long a, unsigned long b,
		       unsigned long d, unsigned long e)
{
	(void)d, (void)e;
	if (number == SYS_clone && a & CLONE_SETTLS)
		ptl_core_outsider_comes(CLONE_TLS(d, e));
	else if (number == SYS_clone3)
		by_clone3(a, b);
	else
		by_number(number, a, b);
}
