/* SPDX-License-Identifier: MIT */
/*
 * See by_number.h.  A handler that is set so is the program's own, not an entry
 * of ours: that it is called is not recorded.  An old one that is told is the
 * kernel's, as the program would set it again.
 */
#include "preload/wrap/by_number.h"

#include "preload/libc/libc.h"

#include "core/core.h"
#include "preload/hook/handlers.h"
#include "preload/hook/site.h"
#include "preload/hook/timer.h"
#include "preload/wrap/call.h"
#include "preload/wrap/told.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* As the kernel has it. */
struct action {
	__sighandler_t handler;
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

static void translate(struct sigaction *to, const struct action *from)
{
	memset(to, 0, sizeof(*to));
	to->sa_handler = ptl_handler_own(from->handler);
	to->sa_flags = (int)from->flags;
	memcpy(&to->sa_mask, &from->mask, sizeof(from->mask));
}

long ptl_by_number_action(ptl_by_number *make, const void *caller,
			  const long arg[6])
{
	uint64_t since = ptl_core_call_begins(PTL_EV_SIGNAL_SIGACTION);
	const struct action *act = (const struct action *)arg[1];
	const struct action *old = (const struct action *)arg[2];
	struct sigaction set, was;
	bool has_set = false;
	long ret;

	if (act && PTL_UNLIKELY(ptl_timer_is_on))
		ptl_timer_set((int)arg[0]);
	/* Programs may pass one struct for both. */
	if (since && act && ptl_call_readable(act, sizeof(*act))) {
		translate(&set, act);
		has_set = true;
	}
	ret = make(SYS_rt_sigaction, arg[0], arg[1], arg[2], arg[3], arg[4],
		   arg[5]);
	if (!since)
		return ret;
	if (ret == 0 && old)
		translate(&was, old);
	ptl_told_action((int)arg[0], (int)ret, has_set ? &set : NULL,
			ret == 0 && old ? &was : NULL, since, caller);
	return ret;
}

PTL_ALIGNS static long by_action(long number, long a, long b, long c, long d,
				 long e, long f)
{
	const long arg[] = {a, b, c, d, e, f};

	(void)number;
	return ptl_by_number_action((ptl_by_number *)PTL_LIBC(syscall),
				    PTL_SITE_CALLER, arg);
}

PTL_ALIGNS static long by_wait4(long number, long a, long b, long c, long d,
				long e, long f)
{
	uint64_t since = ptl_core_call_begins(PTL_EV_SYNC_WAITPID);
	int own_status = 0, *status = b ? (int *)b : &own_status;
	struct rusage own_usage = {.ru_maxrss = 0},
		      *usage = d ? (struct rusage *)d : &own_usage;
	long ret = PTL_LIBC(syscall)(number, a, status, c, usage, e, f);

	ptl_told_reaped((pid_t)ret, status, usage);
	if (since)
		ptl_told_waited((int)a, (int)c, (pid_t)ret,
				ret > 0 ? status : NULL, since,
				PTL_SITE_CALLER);
	return ret;
}

/* Without a place for it nothing is told of the child. */
PTL_ALIGNS static long by_waitid(long number, long a, long b, long c, long d,
				 long e, long f)
{
	uint64_t since = ptl_core_call_begins(PTL_EV_SYNC_WAITPID);
	siginfo_t own = {.si_pid = 0}, *info = c ? (siginfo_t *)c : &own;
	long ret = PTL_LIBC(syscall)(number, a, b, info, d, e, f);

	ptl_told_waitid((idtype_t)a, (id_t)b, info, (int)d, (int)ret, since,
			PTL_SITE_CALLER);
	return ret;
}

ptl_by_number *ptl_by_number_find(long number)
{
	switch (number) {
	case SYS_rt_sigaction:
		return by_action;
	case SYS_wait4:
		return by_wait4;
	case SYS_waitid:
		return by_waitid;
	default:
		return NULL;
	}
}
