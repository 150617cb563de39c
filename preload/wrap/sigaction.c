/* SPDX-License-Identifier: MIT */
/*
 * Setting signal handlers.  The flags, the mask, and values that are no
 * function stay as the program gave them.  Unless signal:deliver is recorded at
 * that moment, the kernel gets the program's own handler; so in a process whose
 * signals are not recorded there is nothing of ours.  Where crashes are, what
 * the program sets to SIG_DFL is taken (preload/hook/crash.h).
 */
#include "preload/libc/libc.h"

#include "preload/hook/crash.h"
#include "preload/hook/handlers.h"
#include "preload/libc/lookup.h"

/* The program's own handler, for what the kernel has; and what it set. */
static __sighandler_t answer(int signo, __sighandler_t set,
			     __sighandler_t kernel)
{
	if (PTL_UNLIKELY(ptl_crash_is_on) && set == SIG_DFL &&
	    kernel != SIG_ERR)
		ptl_crash_take(signo);
	return ptl_crash_own(ptl_handler_own(kernel));
}

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
	if (ret == 0 && old) {
		old->sa_handler = ptl_handler_own(old->sa_handler);
		ptl_crash_answer(signo, old);
	}
	if (PTL_UNLIKELY(ptl_crash_is_on) && ret == 0 && act &&
	    act->sa_handler == SIG_DFL)
		ptl_crash_take(signo);
	return ret;
}

PTL_WRAP int __sigaction(int signo, const struct sigaction *act,
			 struct sigaction *old)
	__attribute__((alias("sigaction"), nothrow, leaf));

PTL_WRAP __sighandler_t signal(int signo, __sighandler_t handler)
{
	handler = ptl_handler_entry(handler, false);
	return answer(signo, handler, PTL_LIBC(signal)(signo, handler));
}

PTL_WRAP __sighandler_t ssignal(int signo, __sighandler_t handler)
	__attribute__((alias("signal"), nothrow, leaf));
PTL_WRAP __sighandler_t bsd_signal(int signo, __sighandler_t handler)
	__attribute__((alias("signal"), nothrow, leaf));

PTL_WRAP __sighandler_t sysv_signal(int signo, __sighandler_t handler)
{
	handler = ptl_handler_entry(handler, false);
	return answer(signo, handler, PTL_LIBC(sysv_signal)(signo, handler));
}

PTL_WRAP __sighandler_t __sysv_signal(int signo, __sighandler_t handler)
	__attribute__((alias("sysv_signal"), nothrow, leaf));

PTL_WRAP __sighandler_t sigset(int signo, __sighandler_t handler)
{
	handler = ptl_handler_entry(handler, false);
	return answer(signo, handler, PTL_LIBC(sigset)(signo, handler));
}

PTL_WRAP int sigaltstack(const stack_t *restrict stack, stack_t *restrict old)
{
	if (PTL_LIKELY(!ptl_crash_hides))
		return PTL_LIBC(sigaltstack)(stack, old);
	return ptl_crash_altstack(stack, old);
}
