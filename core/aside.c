/* SPDX-License-Identifier: MIT */
/*
 * Each is held for less than a microsecond.  Who never gives it back has left
 * by siglongjmp() out of a handler that interrupted it, or has ended, or is the
 * other process after a fork; the memory is not wiped by that, since a child
 * may go on with what its parent was interrupted in.
 */
#include "core/aside.h"

#include "core/slot.h"
#include "core/sys.h"

#define ASIDES 64
#define TRIES 1000

static struct ptl_aside asides[ASIDES] PTL_BULK;

/* A thread that has no number yet is none that can be found. */
static uint32_t own_tid(void)
{
	return ptl_thread.tid ? ptl_thread.tid : PTL_TID_FOREIGN;
}

static bool claim(struct ptl_aside *aside, uint32_t from)
{
	/* Pairs with ptl_aside_put(). */
	return atomic_compare_exchange_strong_explicit(
		&aside->owner, &from, own_tid(), memory_order_acquire,
		memory_order_relaxed);
}

/* Has its owner no use for it any more?  What it was in of this thread is gone
 * if that was further down the stack. */
static bool is_left(const struct ptl_aside *aside, uint32_t owner)
{
	if (owner & PTL_TID_FOREIGN)
		return false;
	if (owner == ptl_thread.tid)
		return aside->sp < (uintptr_t)__builtin_frame_address(0);
	return !ptl_slots_no_syscalls &&
	       ptl_sys(SYS_tgkill, ptl_sys_getpid(), owner, 0, 0) == -ESRCH;
}

struct ptl_aside *ptl_aside_take(void)
{
	for (unsigned int try = 0; try < TRIES; try++) {
		for (unsigned int i = 0; i < ASIDES; i++) {
			struct ptl_aside *aside = &asides[i];
			uint32_t owner = atomic_load_explicit(
				&aside->owner, memory_order_relaxed);

			if ((owner && (try == 0 || !is_left(aside, owner))) ||
			    !claim(aside, owner))
				continue;
			aside->sp = (uintptr_t)__builtin_frame_address(0);
			return aside;
		}
		if (!ptl_slots_no_syscalls)
			ptl_sys(SYS_sched_yield, 0, 0, 0, 0);
	}
	return NULL;
}

void ptl_aside_put(struct ptl_aside *aside)
{
	/* Pairs with claim(). */
	atomic_store_explicit(&aside->owner, 0, memory_order_release);
}

/* To ask may take long in a virtual machine. */
static bool has_xsave(void)
{
	static _Atomic uint32_t answer;
	uint32_t has = atomic_load_explicit(&answer, memory_order_relaxed);

	if (has == 0) {
		has = 1 + ptl_vectors_xsave();
		atomic_store_explicit(&answer, has, memory_order_relaxed);
	}
	return has == 2;
}

void ptl_aside_save(struct ptl_aside *aside)
{
	ptl_vectors_save(&aside->vectors, has_xsave());
}

void ptl_aside_restore(struct ptl_aside *aside)
{
	ptl_vectors_restore(&aside->vectors, has_xsave());
}
