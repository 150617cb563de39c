/* SPDX-License-Identifier: MIT */
/*
 * Each desk and aside is held for less than a microsecond.  If one is never
 * given back, its thread has ended, or left by siglongjmp() out of a handler
 * that interrupted it, or is in the other process after a fork.
 */
#include "core/unwind/scratch.h"

#include "core/buffer/slot.h"
#include "core/sys/syscall.h"

#define TRIES 1000
#define NEAR 16384

static struct ptl_aside asides[PTL_ASIDES] PTL_BULK;

/* Was any slot's desk ever taken, by us or by who forked us?  If not they have
 * no memory yet, and need not get it to be cleared. */
static _Atomic bool any_taken;

/* A thread whose tid is not known yet gets a tid that is never looked up. */
static uint32_t own_tid(void)
{
	return ptl_thread.tid ? ptl_thread.tid : PTL_TID_FOREIGN;
}

static bool claim(struct ptl_desk *desk, uint64_t from)
{
	/* Pairs with ptl_desk_put(). */
	if (!atomic_compare_exchange_strong_explicit(
		    &desk->owner, &from, own_tid(), memory_order_acquire,
		    memory_order_relaxed))
		return false;
	desk->sp = (uintptr_t)__builtin_frame_address(0);
	return true;
}

/* The thread's own desk, which only its own handlers compete for: without a
 * lock. */
static bool claim_own(struct ptl_desk *desk)
{
	/* First: the desk of a thread that ends here is cleared. */
	if (PTL_UNLIKELY(
		    !atomic_load_explicit(&any_taken, memory_order_relaxed)))
		atomic_store_explicit(&any_taken, true, memory_order_relaxed);
	if (!ptl_word_change((uint64_t *)&desk->owner, 0, own_tid()))
		return false;
	desk->sp = (uintptr_t)__builtin_frame_address(0);
	return true;
}

/* Is the desk abandoned by its owner?  If that is the calling thread: the frame
 * that took the desk is gone if it was further down the stack. */
static bool is_left(const struct ptl_desk *desk, uint64_t owner)
{
	if (owner & PTL_TID_FOREIGN)
		return false;
	if (owner == ptl_thread.tid)
		return desk->sp < (uintptr_t)__builtin_frame_address(0);
	return ptl_slots_may_call() &&
	       ptl_sys(SYS_tgkill, ptl_sys_getpid(), owner, 0, 0) == -ESRCH;
}

struct ptl_aside *ptl_aside_take(void)
{
	for (unsigned int try = 0; try < TRIES; try++) {
		for (unsigned int i = 0; i < PTL_ASIDES; i++) {
			struct ptl_desk *desk = &asides[i].desk;
			uint64_t owner = atomic_load_explicit(
				&desk->owner, memory_order_relaxed);

			if ((!owner || (try > 0 && is_left(desk, owner))) &&
			    claim(desk, owner))
				return &asides[i];
		}
		if (ptl_slots_may_call())
			ptl_sys(SYS_sched_yield, 0, 0, 0, 0);
	}
	return NULL;
}

void ptl_aside_put(struct ptl_aside *aside)
{
	ptl_desk_put(&aside->desk);
}

unsigned int ptl_aside_number(const struct ptl_aside *aside)
{
	return (unsigned int)(aside - asides);
}

struct ptl_desk *ptl_desk_take(struct ptl_desk *own)
{
	struct ptl_aside *aside;

	if (own && claim_own(own))
		return own;
	aside = ptl_aside_take();
	return aside ? &aside->desk : NULL;
}

void ptl_desk_clear(struct ptl_desk *desk)
{
	if (!atomic_load_explicit(&any_taken, memory_order_relaxed))
		return;
	atomic_store_explicit(&desk->owner, 0, memory_order_relaxed);
}

/* Tasks that share thread-local storage share the slot, too: a frame that is
 * not near may be one of another task, on another stack. */
void ptl_desk_leave(struct ptl_desk *desk)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	if (desk && desk->sp < here && here - desk->sp < NEAR)
		ptl_desk_clear(desk);
}

/* CPUID may be slow in a virtual machine. */
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
