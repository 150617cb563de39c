/* SPDX-License-Identifier: MIT */
/* Which thread pointers are outsiders'; see outsider.h. */
#include "core/buffer/outsider.h"

#include "core/sys/syscall.h"

#include <sys/auxv.h>

/* More live at once in no program that we know: then the first is forgotten. */
#define OUTSIDERS 32

_Atomic uint32_t ptl_outsiders;
static _Atomic(uintptr_t) outsider[OUTSIDERS] PTL_SELDOM;
static _Atomic uint32_t next;

#if defined(__x86_64__)

#include <asm/prctl.h>

#ifndef HWCAP2_FSGSBASE
#define HWCAP2_FSGSBASE 2
#endif

/* Found out by the thread that knows of an outsider, before it begins. */
static _Atomic bool can_read;

static void prepare(void)
{
	atomic_store_explicit(&can_read,
			      (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE) != 0,
			      memory_order_relaxed);
}

/* 0: it cannot be known. */
static uintptr_t thread_pointer(void)
{
	uintptr_t pointer = 0;

	if (atomic_load_explicit(&can_read, memory_order_relaxed))
		__asm__ volatile("rdfsbase %0" : "=r"(pointer));
	else if (ptl_slots_may_call())
		ptl_sys(SYS_arch_prctl, ARCH_GET_FS, &pointer, 0, 0);
	return pointer;
}

#else

static void prepare(void)
{
}

static uintptr_t thread_pointer(void)
{
#if defined(__i386__)
	uintptr_t pointer;

	__asm__("movl %%gs:0, %0" : "=r"(pointer));
	return pointer;
#else
	return (uintptr_t)__builtin_thread_pointer();
#endif
}

#endif

static bool is_known(uintptr_t pointer)
{
	for (unsigned int i = 0; i < OUTSIDERS; i++)
		if (atomic_load_explicit(&outsider[i], memory_order_relaxed) ==
		    pointer)
			return true;
	return false;
}

void ptl_outsider_comes(const void *tls)
{
	uintptr_t pointer = (uintptr_t)tls, none;

	prepare();
	if (!pointer || is_known(pointer))
		return;
	for (unsigned int i = 0; i < OUTSIDERS; i++) {
		none = 0;
		if (atomic_compare_exchange_strong_explicit(
			    &outsider[i], &none, pointer, memory_order_relaxed,
			    memory_order_relaxed)) {
			atomic_fetch_add_explicit(&ptl_outsiders, 1,
						  memory_order_relaxed);
			return;
		}
	}
	atomic_store_explicit(
		&outsider[atomic_fetch_add_explicit(&next, 1,
						    memory_order_relaxed) %
			  OUTSIDERS],
		pointer, memory_order_relaxed);
}

static void gone(uintptr_t pointer)
{
	for (unsigned int i = 0; i < OUTSIDERS && pointer; i++) {
		uintptr_t there = pointer;

		if (atomic_compare_exchange_strong_explicit(
			    &outsider[i], &there, 0, memory_order_relaxed,
			    memory_order_relaxed))
			atomic_fetch_sub_explicit(&ptl_outsiders, 1,
						  memory_order_relaxed);
	}
}

void ptl_outsider_gone(const void *tls)
{
	gone((uintptr_t)tls);
}

/* Threads of libc's that became outsiders, by the pointers that they had. */
static _Atomic(uintptr_t) insider[OUTSIDERS] PTL_SELDOM;

static bool was_inside(uintptr_t pointer)
{
	for (unsigned int i = 0; i < OUTSIDERS; i++)
		if (atomic_load_explicit(&insider[i], memory_order_relaxed) ==
		    pointer)
			return true;
	return false;
}

void ptl_outsider_turns(const void *tls)
{
	static _Atomic uint32_t nr;
	uintptr_t now;

	prepare();
	now = thread_pointer();
	if (!is_known(now) && !was_inside(now))
		atomic_store_explicit(
			&insider[atomic_fetch_add_explicit(
					 &nr, 1, memory_order_relaxed) %
				 OUTSIDERS],
			now, memory_order_relaxed);
	if (!was_inside((uintptr_t)tls))
		ptl_outsider_comes(tls);
}

void ptl_outsider_none(void)
{
	if (atomic_load_explicit(&ptl_outsiders, memory_order_relaxed))
		gone(thread_pointer());
}

/* Where it cannot be known the caller is taken for one. */
bool ptl_outsider_asks(void)
{
	uintptr_t pointer = thread_pointer();

	return !pointer || is_known(pointer);
}
