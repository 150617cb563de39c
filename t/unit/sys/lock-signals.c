/* SPDX-License-Identifier: MIT */
/* Signals wait while the lock is held; the mask is given back as it was. */
#include "core/sys/lock.h"

#include "t/lib/tap.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct ptl_lock lock = PTL_LOCK_INIT;
static volatile sig_atomic_t nr_signals;

static void take_lock(int sig)
{
	struct ptl_lock_mask mask;

	(void)sig;
	ptl_lock(&lock, &mask);
	nr_signals++;
	ptl_unlock(&lock, &mask);
}

/* The kernel's word: glibc hides two signals of its own. */
static uint64_t get_mask(void)
{
	uint64_t mask = 0;

	syscall(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &mask, sizeof(mask));
	return mask;
}

static void *idle(void *arg)
{
	struct ptl_lock_mask mask;
	int *fds = arg;
	char c;

	ptl_lock(&lock, &mask);
	if (write(fds[1], "", 1) != 1 || read(fds[2], &c, 1) < 0)
		arg = NULL;
	ptl_unlock(&lock, &mask);
	return arg;
}

/* Would wait for ever if the thread that holds the lock did not answer. */
static void change_ids(void)
{
	int out[2], in[2];
	int fds[3];
	pthread_t thread;
	char c;

	if (pipe(out) || pipe(in))
		return;
	fds[1] = out[1];
	fds[2] = in[0];
	pthread_create(&thread, NULL, idle, fds);
	is_int(read(out[0], &c, 1), 1, "a thread holds the lock");
	is_int(setgid(getgid()), 0, "setgid() in all threads goes on");
	close(in[1]);
	pthread_join(thread, NULL);
}

int main(void)
{
	struct ptl_lock_mask mask, inner;
	struct ptl_lock other = PTL_LOCK_INIT;
	uint64_t before;
	sigset_t set;

	plan(9);
	signal(SIGUSR1, take_lock);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	before = get_mask();

	ptl_lock(&lock, &mask);
	ok(mask.bits == before, "the caller's mask is kept");
	raise(SIGUSR1);
	is_int(nr_signals, 0, "a signal waits");
	ptl_lock(&other, &inner);
	ptl_unlock(&other, &inner);
	is_int(nr_signals, 0, "also after an inner lock");
	ptl_unlock(&lock, &mask);
	poll(NULL, 0, 0); /* -fsanitize=thread delivers in libc's calls only */
	is_int(nr_signals, 1, "and comes afterwards");
	ok(get_mask() == before, "the mask is as it was");

	ptl_signals_block(&mask);
	ok((get_mask() & ~(UINT64_C(1) << 32)) ==
	   (UINT64_MAX & ~(UINT64_C(1) << 32) &
	    ~(UINT64_C(1) << (SIGKILL - 1) | UINT64_C(1) << (SIGSTOP - 1) |
	      UINT64_C(1) << (SIGBUS - 1))),
	   "all that can be blocked are blocked, but SIGBUS");
	ptl_signals_restore(&mask);
	ok(get_mask() == before, "and back");
	change_ids();
	return done();
}
