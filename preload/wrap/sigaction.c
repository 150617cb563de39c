/* SPDX-License-Identifier: MIT */
/*
 * Setting signal handlers.  The flags, the mask, and values that are no
 * function stay as the program gave them.  Unless signal:deliver is recorded at
 * that moment, or functions are patched, the kernel gets the program's own
 * handler; so in a process of which neither is so there is nothing of ours.
 * Where crashes are recorded, what the program sets to SIG_DFL is taken
 * (preload/hook/crash.h).
 */
#include "preload/libc/libc.h"

#include "preload/hook/crash.h"
#include "preload/hook/handlers.h"
#include "preload/hook/site.h"
#include "preload/hook/timer.h"
#include "preload/libc/lookup.h"
#include "preload/wrap/told.h"
#include "preload/wrap/values.h"

/* Of act only what could be read is recorded, and nothing of a call that
 * failed, which may have been given any pointer. */
PTL_COLD PTL_ALIGNS void ptl_told_action(int signo, int ret,
					 const struct sigaction *act,
					 const struct sigaction *old,
					 uint64_t since, const void *caller)
{
	int64_t value[] = {signo, ret, ret == -1 ? errno : 0, (int64_t)since};
	struct ptl_changed changed;
	struct ptl_libc_call call = {
		.value = value, .nr_values = 3, .has_bytes = true};

	ptl_actions_changed(&changed, ret == 0 ? act : NULL,
			    ret == 0 ? old : NULL);
	call.bytes = (struct ptl_call_bytes){changed.word, changed.size};
	if (changed.size)
		ptl_call_record(PTL_EV_SIGNAL_SIGACTION, &call, caller);
	else
		ptl_call_values(PTL_EV_SIGNAL_SIGACTION, value, sizeof(value),
				caller);
}

/* The program's own handler, for what the kernel has; and what it set. */
static __sighandler_t answer(int signo, __sighandler_t set,
			     __sighandler_t kernel)
{
	if (PTL_UNLIKELY(ptl_crash_is_on) && set == SIG_DFL &&
	    kernel != SIG_ERR)
		ptl_crash_take(signo);
	return ptl_timer_own(ptl_crash_own(ptl_handler_own(kernel)));
}

static int set_action(int signo, const struct sigaction *act,
		      struct sigaction *old)
{
	struct sigaction copy;
	int ret;

	if (act && PTL_UNLIKELY(ptl_timer_is_on))
		ptl_timer_set(signo);
	if (act && signo > 0 && signo < NSIG) {
		copy = *act;
		copy.sa_handler = ptl_handler_entry(signo, act->sa_handler,
						    act->sa_flags);
		act = &copy;
	}
	ret = PTL_LIBC(sigaction)(signo, act, old);
	if (ret == 0 && old) {
		old->sa_handler = ptl_handler_own(old->sa_handler);
		ptl_crash_answer(signo, old);
		ptl_timer_answer(old);
	}
	if (PTL_UNLIKELY(ptl_crash_is_on) && ret == 0 && act &&
	    act->sa_handler == SIG_DFL)
		ptl_crash_take(signo);
	return ret;
}

/* With a copy of what was set, since programs may pass one struct for both. */
static PTL_COLD int set_and_record(int signo, const struct sigaction *act,
				   struct sigaction *old, uint64_t since,
				   const void *caller)
{
	struct sigaction set = {0};
	int ret;

	if (act && signo > 0 && signo < NSIG)
		set = *act;
	ret = set_action(signo, act, old);
	ptl_told_action(signo, ret, act ? &set : NULL, old, since, caller);
	return ret;
}

PTL_WRAP int sigaction(int signo, const struct sigaction *act,
		       struct sigaction *old)
{
	uint64_t since = ptl_core_call_begins(PTL_EV_SIGNAL_SIGACTION);

	if (PTL_UNLIKELY(since))
		return set_and_record(signo, act, old, since, PTL_SITE_CALLER);
	return set_action(signo, act, old);
}

PTL_WRAP int __sigaction(int signo, const struct sigaction *act,
			 struct sigaction *old)
	__attribute__((alias("sigaction"), nothrow, leaf));

/* libc chose the flags and the mask, so the kernel is asked for them. */
static PTL_COLD void record_signal(int signo, __sighandler_t was,
				   uint64_t since, const void *caller)
{
	struct sigaction set = {0};
	int error = errno;
	int ret = was == SIG_ERR ? -1 : PTL_LIBC(sigaction)(signo, NULL, &set);

	if (ret == 0)
		set.sa_handler = ptl_handler_own(set.sa_handler);
	errno = error;
	ptl_told_action(signo, ret, &set, NULL, since, caller);
}

/* Returns what signal() and its like do: the handler that was there. */
static __sighandler_t told(int signo, __sighandler_t set, __sighandler_t kernel,
			   uint64_t since, const void *caller)
{
	__sighandler_t was = answer(signo, set, kernel);

	if (PTL_UNLIKELY(since))
		record_signal(signo, was, since, caller);
	return was;
}

/* What the kernel is to call. */
static __sighandler_t entry_of(int signo, __sighandler_t handler)
{
	if (PTL_UNLIKELY(ptl_timer_is_on))
		ptl_timer_set(signo);
	return ptl_handler_entry(signo, handler, 0);
}

PTL_WRAP __sighandler_t signal(int signo, __sighandler_t handler)
{
	uint64_t since = ptl_core_call_begins(PTL_EV_SIGNAL_SIGACTION);

	handler = entry_of(signo, handler);
	return told(signo, handler, PTL_LIBC(signal)(signo, handler), since,
		    PTL_SITE_CALLER);
}

PTL_WRAP __sighandler_t ssignal(int signo, __sighandler_t handler)
	__attribute__((alias("signal"), nothrow, leaf));
PTL_WRAP __sighandler_t bsd_signal(int signo, __sighandler_t handler)
	__attribute__((alias("signal"), nothrow, leaf));

PTL_WRAP __sighandler_t sysv_signal(int signo, __sighandler_t handler)
{
	uint64_t since = ptl_core_call_begins(PTL_EV_SIGNAL_SIGACTION);

	handler = entry_of(signo, handler);
	return told(signo, handler, PTL_LIBC(sysv_signal)(signo, handler),
		    since, PTL_SITE_CALLER);
}

PTL_WRAP __sighandler_t __sysv_signal(int signo, __sighandler_t handler)
	__attribute__((alias("sysv_signal"), nothrow, leaf));

PTL_WRAP __sighandler_t sigset(int signo, __sighandler_t handler)
{
	uint64_t since = ptl_core_call_begins(PTL_EV_SIGNAL_SIGACTION);

	handler = entry_of(signo, handler);
	return told(signo, handler, PTL_LIBC(sigset)(signo, handler), since,
		    PTL_SITE_CALLER);
}

PTL_WRAP int sigaltstack(const stack_t *restrict stack, stack_t *restrict old)
{
	if (PTL_UNLIKELY(ptl_timer_is_on))
		ptl_timer_stack(stack);
	if (PTL_LIKELY(!ptl_crash_hides))
		return PTL_LIBC(sigaltstack)(stack, old);
	return ptl_crash_altstack(stack, old);
}
