/* SPDX-License-Identifier: MIT */
/*
 * Setting signal handlers.  The flags, the mask, and values that are no
 * function stay as the program gave them.  Unless signal:deliver is recorded at
 * that moment, the kernel gets the program's own handler; so in a process whose
 * signals are not recorded there is nothing of ours.
 */
#include "preload/libc/libc.h"

#include "preload/hook/handlers.h"
#include "preload/libc/lookup.h"

/* Programs may pass the same struct for both. */
PTL_WRAP int sigaction(int signo, const struct sigaction *act,
		       struct sigaction *old)
{
	struct sigaction copy;
	int ret;

	if (act && signo > 0 && signo < NSIG) {
		copy = *act;
		copy.sa_handler = ptl_handler_entry(act->sa_handler,
						    act->sa_flags & SA_SIGINFO);
		act = &copy;
	}
	ret = PTL_LIBC(sigaction)(signo, act, old);
	if (ret == 0 && old)
		old->sa_handler = ptl_handler_own(old->sa_handler);
	return ret;
}

PTL_WRAP int __sigaction(int signo, const struct sigaction *act,
			 struct sigaction *old)
	__attribute__((alias("sigaction"), nothrow, leaf));

PTL_WRAP __sighandler_t signal(int signo, __sighandler_t handler)
{
	handler = ptl_handler_entry(handler, false);
	return ptl_handler_own(PTL_LIBC(signal)(signo, handler));
}

PTL_WRAP __sighandler_t ssignal(int signo, __sighandler_t handler)
	__attribute__((alias("signal"), nothrow, leaf));
PTL_WRAP __sighandler_t bsd_signal(int signo, __sighandler_t handler)
	__attribute__((alias("signal"), nothrow, leaf));

PTL_WRAP __sighandler_t sysv_signal(int signo, __sighandler_t handler)
{
	handler = ptl_handler_entry(handler, false);
	return ptl_handler_own(PTL_LIBC(sysv_signal)(signo, handler));
}

PTL_WRAP __sighandler_t __sysv_signal(int signo, __sighandler_t handler)
	__attribute__((alias("sysv_signal"), nothrow, leaf));

PTL_WRAP __sighandler_t sigset(int signo, __sighandler_t handler)
{
	handler = ptl_handler_entry(handler, false);
	return ptl_handler_own(PTL_LIBC(sigset)(signo, handler));
}
