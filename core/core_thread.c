/* SPDX-License-Identifier: MIT */
/* The life of a traced thread as the seam (core.h) has it. */
#include "core/core.h"

#include "core/record/attached.h"
#include "core/record/owner.h"
#include "core/record/slots.h"
#include "core/sys/syscall.h"

struct ptl_slot *ptl_core_thread_new(void)
{
	if (ptl_outsider())
		return NULL;
	ptl_core_forked();
	return atomic_load_explicit(&ptl_attached.ready, memory_order_relaxed) ?
		       ptl_slot_reserve() :
		       NULL;
}

void ptl_core_thread_cancel(struct ptl_slot *slot)
{
	if (slot)
		ptl_slot_put(slot);
}

void ptl_core_thread_enter(struct ptl_slot *slot)
{
	ptl_outsider_none();
	if (slot)
		ptl_slot_enter(slot);
}

int ptl_core_tid(void)
{
	return (int)(!ptl_outsider() && ptl_thread.tid ?
			     ptl_thread.tid :
			     (uint32_t)ptl_sys_gettid());
}

int ptl_core_tid_of(pthread_t thread)
{
	return (int)ptl_slots_tid((uint64_t)thread);
}

void ptl_core_thread_exit(void)
{
	struct ptl_slot *slot;

	if (ptl_outsider())
		return;
	slot = ptl_thread.slot;
	ptl_thread.ended = true;
	if (!ptl_slot_owned(slot))
		return;
	ptl_owner_release_all(slot);
	ptl_slot_put(slot);
}

bool ptl_core_outsider(void)
{
	return ptl_outsider();
}

void ptl_core_outsider_comes(const void *tls)
{
	ptl_outsider_comes(tls);
}

void ptl_core_outsider_gone(const void *tls)
{
	ptl_outsider_gone(tls);
}

void ptl_core_outsider_turns(const void *tls)
{
	ptl_outsider_turns(tls);
}
