/* SPDX-License-Identifier: MIT */
/*
 * How a process ends. exit(), the return from main and the end of the last
 * thread all reach the handler that the constructor registered before all
 * others: it runs after the other handlers and all destructors, and knows the
 * status. _exit(), _Exit() and quick_exit() are wrapped.  An end that none of
 * this sees (a signal, the bare system call) is recorded by the process that
 * reaps ours.
 */
#include "preload/libc/libc.h"

#include "core/core.h"

#include "preload/hook/hooks.h"
#include "preload/hook/objects.h"

/* glibc's, declared in no header; at_quick_exit() calls it. */
extern int __cxa_at_quick_exit(void (*func)(void *), void *dso)
	__attribute__((weak));

PTL_ENTRY void _exit(int status)
{
	ptl_core_exit(status & 0xff);
	PTL_LIBC(_exit)(status);
	__builtin_unreachable();
}

PTL_ENTRY void _Exit(int status)
{
	ptl_core_exit(status & 0xff);
	PTL_LIBC(_Exit)(status);
	__builtin_unreachable();
}

/* Handlers of quick_exit() may record events: ours was registered first, so it
 * runs last.
 */
static int quick_status;

PTL_ALIGNS static void at_quick_end(void *arg)
{
	(void)arg;
	ptl_core_exit(quick_status & 0xff);
}

static void quick_end(int status)
{
	quick_status = status;
	if (!__cxa_at_quick_exit)
		ptl_core_exit(status & 0xff);
}

PTL_ENTRY void quick_exit(int status)
{
	quick_end(status);
	PTL_LIBC_NOW(quick_exit)(status);
	__builtin_unreachable();
}

#ifdef PTL_OLD_quick_exit
PTL_OLD(quick_exit)
PTL_ALIGNS void ptl_old_quick_exit(int status)
{
	quick_end(status);
	PTL_LIBC_OLD(quick_exit)(status);
	__builtin_unreachable();
}
#endif

PTL_ALIGNS static void at_exit(int status, void *arg)
{
	(void)arg;
	ptl_objects_settle();
	ptl_core_exit(status & 0xff);
}

/*
 * GNU's; the first 32 handlers take no memory.  Without it the status is not
 * known, and the process that reaps ours records it.
 */
#pragma weak on_exit

void ptl_exit_init(void)
{
	if (on_exit)
		on_exit(at_exit, NULL);
	if (__cxa_at_quick_exit)
		__cxa_at_quick_exit(at_quick_end, NULL);
}
