/* SPDX-License-Identifier: MIT */
/*
 * Sleepers and wakers on a word of shared memory:
 *
 *   sleeper                            writer
 *   word = 1                           news
 *   barrier in every writer            (compiler barrier only)
 *   news?  no: sleep while word = 1    word = 1?  yes: word = 0, wake
 *
 * Either the writer's load of the word comes after the barrier, and it wakes;
 * or its news came before it, and the sleeper sees them.  A writer that never
 * registered, or may make no system call, is made up for by sleeping in rounds.
 */
#include "core/sys/wait.h"

#include <linux/futex.h>

#include "core/sys/clock.h"
#include "core/sys/syscall.h"

#define NS_PER_SEC 1000000000
#define SLEEP_NS 20000000
#define MOST_DOUBLINGS 6

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif

/* struct futex_waitv of <linux/futex.h> as of Linux 5.16, which may be newer
 * than ours. */
struct waitv {
	uint64_t value;
	uint64_t address;
	uint32_t flags; /* 2: of 32 bits, between processes */
	uint32_t reserved;
};

/* Not there, or a sandbox of our own does not know it. */
static _Atomic bool no_waitv;

/* Is this process, and with it what it forks? */
static _Atomic bool is_registered;

void ptl_wait_init(void)
{
	atomic_store_explicit(
		&is_registered,
		ptl_sys_membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED) ==
			0,
		memory_order_relaxed);
}

bool ptl_wait_barrier(void)
{
	return atomic_load_explicit(&is_registered, memory_order_relaxed) &&
	       ptl_sys_membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED) == 0;
}

void ptl_wait_announce(_Atomic uint32_t *word)
{
	atomic_store_explicit(word, 1, memory_order_relaxed);
	/* Between the store and the look that follows, on every side.
	 * Pairs with ptl_wait_wake(). */
	if (ptl_sys_membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED) < 0)
		atomic_thread_fence(memory_order_seq_cst);
}

/* Nanoseconds until the deadline, at most so many; 0 if it has passed. */
static long time_left(const struct timespec *deadline, long most)
{
	uint64_t now;
	int64_t sec, ns;

	if (!deadline)
		return most;
	now = ptl_clock_ns(CLOCK_REALTIME);
	sec = (int64_t)(now / NS_PER_SEC);
	/* Compared before it is subtracted: any value of tv_sec is legal. */
	if (deadline->tv_sec > sec + 1)
		return most;
	if (deadline->tv_sec < sec)
		return 0;
	ns = (deadline->tv_sec - sec) * NS_PER_SEC + deadline->tv_nsec -
	     (int64_t)(now % NS_PER_SEC);
	return ns > 0 ? (long)PTL_MIN(ns, most) : 0;
}

bool ptl_wait_instead(long err, long ns)
{
	struct timespec pause = {.tv_nsec = ns};

	if (err >= 0 || err == -EINTR || err == -EAGAIN || err == -ETIMEDOUT)
		return false;
	ptl_sys(SYS_nanosleep, &pause, NULL, 0, 0);
	return true;
}

/* Sleeps while the word is 1, for so long. */
static long wait_on(_Atomic uint32_t *word, long ns)
{
	uint64_t end = ptl_clock_ns(CLOCK_MONOTONIC) + (uint64_t)ns;
	struct waitv one = {.value = 1, .address = (uintptr_t)word, .flags = 2};
	struct timespec until = {.tv_sec = (time_t)(end / NS_PER_SEC),
				 .tv_nsec = (long)(end % NS_PER_SEC)};
	struct timespec timeout = {.tv_nsec = ns};
	long err;

	/* Of the sleeps with a timeout this one alone goes on after a handler
	 * that was installed with SA_RESTART. */
	if (!atomic_load_explicit(&no_waitv, memory_order_relaxed)) {
		err = ptl_sys6(SYS_futex_waitv, (long)&one, 1, 0, (long)&until,
			       CLOCK_MONOTONIC, 0);
		if (err != -ENOSYS && err != -EPERM)
			return err;
		atomic_store_explicit(&no_waitv, true, memory_order_relaxed);
	}
	/* Not FUTEX_PRIVATE_FLAG: the writers are other processes. */
	err = ptl_sys(SYS_futex, word, FUTEX_WAIT, 1, &timeout);
	return ptl_wait_instead(err, ns) ? -ETIMEDOUT : err;
}

int ptl_wait_sleep(_Atomic uint32_t *word, const struct timespec *deadline,
		   unsigned int round)
{
	long most = (long)SLEEP_NS << PTL_MIN(round, MOST_DOUBLINGS);
	long ns = time_left(deadline, most);
	long err;

	if (atomic_load_explicit(word, memory_order_relaxed) != 1)
		return 0;
	if (ns == 0)
		return ETIMEDOUT;
	err = wait_on(word, ns);
	if (err == -EINTR)
		return EINTR;
	if (err == -ETIMEDOUT && time_left(deadline, most) == 0)
		return ETIMEDOUT;
	return 0;
}

void ptl_wait_wake(_Atomic uint32_t *word)
{
	/* The news are stored before the word is loaded: the compiler must
	 * keep to that, the sleeper's barrier sees to the processor.
	 * Pairs with ptl_wait_announce(). */
	atomic_signal_fence(memory_order_seq_cst);
	if (PTL_LIKELY(atomic_load_explicit(word, memory_order_relaxed) == 0))
		return;
	/* Several may have announced themselves in the one word: wake all. */
	if (atomic_exchange_explicit(word, 0, memory_order_relaxed))
		ptl_sys(SYS_futex, word, FUTEX_WAKE, INT32_MAX, 0);
}
