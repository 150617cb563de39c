/* SPDX-License-Identifier: MIT */
/*
 * A futex mutex and the signal mask around it.  States of the word: 0 free,
 * 1 held, 2 held and maybe awaited; only leaving 2 costs a system call.
 */
#include "core/sys/lock.h"

#include <linux/futex.h>
#include <signal.h>

#include "core/sys/syscall.h"
#include "core/sys/wait.h"

/* Where there is no futex(2) to wait by, in ns. */
#define PAUSE_NS 1000000

const char *ptl_single_threaded = "";

/*
 * glibc's signal for set*id() in all threads (as of 2.36: the second after
 * SIGSYS's range, __SIGRTMIN + 1).  Its sender waits for every thread with
 * glibc's locks held, so it must get through; its handler knows nothing of us.
 */
#define SIGSETXID 33

/*
 * SIGBUS neither: another user can cut short the memory that is shared with us,
 * and a program that handles that would be killed by the kernel if the signal
 * were blocked.
 */
#define MASK_ALL \
	(~(UINT64_C(1) << (SIGSETXID - 1) | UINT64_C(1) << (SIGBUS - 1)))

void ptl_signals_block(struct ptl_lock_mask *mask)
{
	const uint64_t all = MASK_ALL;

	ptl_sys(SYS_rt_sigprocmask, SIG_SETMASK, &all, &mask->bits,
		sizeof(all));
}

void ptl_signals_restore(const struct ptl_lock_mask *mask)
{
	ptl_sys(SYS_rt_sigprocmask, SIG_SETMASK, &mask->bits, NULL,
		sizeof(mask->bits));
}

void ptl_lock_shared(struct ptl_lock *lock)
{
	uint32_t was = 0;

	/* What the last holder did is visible.  Pairs with
	 * ptl_unlock_shared(). */
	if (atomic_compare_exchange_strong_explicit(&lock->word, &was, 1,
						    memory_order_acquire,
						    memory_order_relaxed))
		return;
	/* Likewise.  Pairs with ptl_unlock_shared(). */
	while (atomic_exchange_explicit(&lock->word, 2, memory_order_acquire))
		ptl_wait_instead(ptl_sys(SYS_futex, &lock->word,
					 FUTEX_WAIT_PRIVATE, 2, NULL),
				 PAUSE_NS);
}

void ptl_unlock_shared(struct ptl_lock *lock)
{
	/* Whatever we did is visible to the next.  Pairs with
	 * ptl_lock_shared(). */
	if (atomic_exchange_explicit(&lock->word, 0, memory_order_release) == 2)
		ptl_sys(SYS_futex, &lock->word, FUTEX_WAKE_PRIVATE, 1, 0);
}

void ptl_lock(struct ptl_lock *lock, struct ptl_lock_mask *mask)
{
	ptl_signals_block(mask);
	ptl_lock_shared(lock);
}

void ptl_unlock(struct ptl_lock *lock, const struct ptl_lock_mask *mask)
{
	ptl_unlock_shared(lock);
	ptl_signals_restore(mask);
}
