/* SPDX-License-Identifier: MIT */
/*
 * Signals sent and waited for.  Sending is recorded before the call: the signal
 * may end this process, and its effects come after.  The tid is 0 if the whole
 * process is meant; numbers that are not known are 0, too.
 */
#include "preload/libc/libc.h"

#include "core/core.h"
#include "core/sys/syscall.h"

#include "preload/hook/site.h"
#include "preload/hook/timer.h"
#include "preload/libc/lookup.h"
#include "preload/libc/scratch.h"

struct send {
	int64_t signo, pid, tid;
};

static void record_send(struct send *send, const void *addr)
{
	ptl_core_call(PTL_EV_SIGNAL_SEND, send, sizeof(*send), addr);
}

/* error: 0 if it was sent. */
static void record_failure(const struct send *send, int error, const void *addr)
{
	int64_t data[4] = {error, send->signo, send->pid, send->tid};

	if (error)
		ptl_core_call(PTL_EV_SIGNAL_SEND_FAILED, data, sizeof(data),
			      addr);
}

static bool may_ask(void)
{
	return ptl_core_wants_call(PTL_EV_SIGNAL_SEND) && !ptl_is_quiet();
}

static struct send send_to_thread(int signo, pthread_t thread)
{
	struct send send = {signo, 0, 0};

	if (may_ask()) {
		send.pid = ptl_sys_getpid();
		send.tid = ptl_core_tid_of(thread);
	}
	return send;
}

PTL_WRAP int kill(pid_t pid, int signo)
{
	struct send send = {signo, pid, 0};
	int ret;

	record_send(&send, PTL_SITE_CALLER);
	ret = PTL_LIBC(kill)(pid, signo);
	record_failure(&send, ret ? errno : 0, PTL_SITE_CALLER);
	return ret;
}

/* A group is a negative number, as in kill(). */
PTL_WRAP int killpg(pid_t group, int signo)
{
	struct send send = {signo, -group, 0};
	int ret;

	record_send(&send, PTL_SITE_CALLER);
	ret = PTL_LIBC(killpg)(group, signo);
	record_failure(&send, ret ? errno : 0, PTL_SITE_CALLER);
	return ret;
}

PTL_WRAP int raise(int signo)
{
	struct send send = {signo, 0, 0};
	int ret;

	if (may_ask()) {
		send.pid = ptl_sys_getpid();
		send.tid = ptl_sys_gettid();
	}
	record_send(&send, PTL_SITE_CALLER);
	ret = PTL_LIBC(raise)(signo);
	record_failure(&send, ret ? errno : 0, PTL_SITE_CALLER);
	return ret;
}

PTL_WRAP int gsignal(int signo) __attribute__((alias("raise"), nothrow));

PTL_WRAP int sigqueue(pid_t pid, int signo, const union sigval value)
{
	struct send send = {signo, pid, 0};
	int ret;

	record_send(&send, PTL_SITE_CALLER);
	ret = PTL_LIBC(sigqueue)(pid, signo, value);
	record_failure(&send, ret ? errno : 0, PTL_SITE_CALLER);
	return ret;
}

PTL_WRAP int tgkill(pid_t pid, pid_t tid, int signo)
{
	struct send send = {signo, pid, tid};
	int ret;

	record_send(&send, PTL_SITE_CALLER);
	ret = PTL_LIBC(tgkill)(pid, tid, signo);
	record_failure(&send, ret ? errno : 0, PTL_SITE_CALLER);
	return ret;
}

PTL_WRAP int pthread_kill(pthread_t thread, int signo)
{
	struct send send = send_to_thread(signo, thread);
	int error;

	record_send(&send, PTL_SITE_CALLER);
	error = PTL_LIBC_NOW(pthread_kill)(thread, signo);
	record_failure(&send, error, PTL_SITE_CALLER);
	return error;
}

#ifdef PTL_OLD_pthread_kill
PTL_OLD(pthread_kill)
PTL_ALIGNS int ptl_old_pthread_kill(pthread_t thread, int signo)
{
	struct send send = send_to_thread(signo, thread);
	int error;

	record_send(&send, PTL_SITE_CALLER);
	error = PTL_LIBC_OLD(pthread_kill)(thread, signo);
	record_failure(&send, error, PTL_SITE_CALLER);
	return error;
}
#endif

PTL_WRAP int pthread_sigqueue(pthread_t thread, int signo,
			      const union sigval value)
{
	struct send send = send_to_thread(signo, thread);
	int error;

	record_send(&send, PTL_SITE_CALLER);
	error = PTL_LIBC(pthread_sigqueue)(thread, signo, value);
	record_failure(&send, error, PTL_SITE_CALLER);
	return error;
}

/* A signal that was waited for has come. */
static void record_wait(int signo, const siginfo_t *info, const void *addr)
{
	int64_t data[3] = {signo};
	size_t size = sizeof(*data);

	if (info) {
		data[1] = info->si_code;
		data[2] = info->si_pid;
		size += sizeof(*data);
		if (signo == SIGCHLD || info->si_code == SI_USER ||
		    info->si_code == SI_QUEUE || info->si_code == SI_TKILL)
			size += sizeof(*data);
	}
	ptl_core_call(PTL_EV_SIGNAL_WAIT, data, size, addr);
}

PTL_WRAP int sigwait(const sigset_t *restrict set, int *restrict signo)
{
	int error;

	if (PTL_UNLIKELY(ptl_timer_is_on))
		error = ptl_timer_sigwait(set, signo);
	else
		error = PTL_LIBC(sigwait)(set, signo);
	if (!error)
		record_wait(*signo, NULL, PTL_SITE_CALLER);
	return error;
}

PTL_WRAP int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
	int signo;

	if (PTL_UNLIKELY(ptl_timer_is_on))
		signo = ptl_timer_wait(set, info, NULL);
	else
		signo = PTL_LIBC(sigwaitinfo)(set, info);
	if (signo > 0)
		record_wait(signo, info, PTL_SITE_CALLER);
	return signo;
}

PTL_WRAP int sigtimedwait(const sigset_t *restrict set,
			  siginfo_t *restrict info,
			  const struct timespec *restrict timeout)
{
	int signo;

	if (PTL_UNLIKELY(ptl_timer_is_on))
		signo = ptl_timer_wait(set, info, timeout);
	else
		signo = PTL_LIBC(sigtimedwait)(set, info, timeout);
	if (signo > 0)
		record_wait(signo, info, PTL_SITE_CALLER);
	return signo;
}
