/* SPDX-License-Identifier: MIT */
/* A process in which system calls of ours may be forbidden (seccomp), or the
 * processor's counter; called through the seam (core.h). */
#include "core/core.h"

#include "core/record/attached.h"
#include "core/record/attached_names.h"
#include "core/record/owner.h"
#include "core/record/slots.h"
#include "core/stream/stream.h"
#include "core/sys/clock.h"
#include "core/sys/filter.h"
#include "core/sys/syscall.h"
#include "core/sys/wait.h"

static bool is_begun(void)
{
	return atomic_load_explicit(&ptl_attached.ready, memory_order_relaxed);
}

bool ptl_core_had_tracer(void)
{
	return ptl_door_tracer != 0;
}

int ptl_core_filters(int known)
{
	return ptl_door_look(known);
}

bool ptl_core_controls(void)
{
	return ptl_streams_any();
}

static void set_no_syscalls(bool none)
{
	/* Relaxed: see ptl_slots_may_call(). */
	atomic_store_explicit(&ptl_slots_no_syscalls, none,
			      memory_order_relaxed);
}

/* The parent goes on after a vfork: noted while getpid() can be called. */
static void settle_vfork(struct ptl_slot *slot)
{
	if (!slot || ptl_slots_is_child(slot, (uint32_t)ptl_sys_getpid()))
		return;
	slot->attention &= ~PTL_ATTENTION_VFORK;
	if (!slot->attention && slot->busy == 0)
		slot->busy = PTL_SLOT_IDLE;
}

static void be_mute(unsigned int i)
{
	const struct ptl_map *map = ptl_attached_map(i);

	/* Relaxed: seen at the next look, after which it does not matter. */
	if (!map ||
	    atomic_exchange_explicit(&map->head->mute, 1, memory_order_relaxed))
		return;
	/* For the last time: it has to make room for us from now on. */
	ptl_wait_wake(&map->head->flusher);
}

void ptl_core_no_syscalls(uint32_t (*tid)(void))
{
	/* What it may need later is made ready now. */
	ptl_attached_unmapped();
	if (ptl_attached_names_id())
		ptl_attached_names();
	for (uint64_t left = ptl_attached_active(); left; left &= left - 1)
		be_mute((unsigned int)__builtin_ctzll(left));
	if (!ptl_outsider())
		settle_vfork(ptl_slot_mine());
	set_no_syscalls(true);
	ptl_door_shut(tid);
}

bool ptl_core_may_call_again(void)
{
	bool may = ptl_door_reopen();

	set_no_syscalls(!may);
	return may;
}

/* Without system calls it is libc that says who this is.  Twice of one fork. */
static void born_quietly(void)
{
	if (!is_begun() || !ptl_door_forked())
		return;
	/* Where the kernel does not wipe them. */
	if (!ptl_slots_forked())
		ptl_slots_wipe();
	set_no_syscalls(false);
	ptl_core_forked();
	set_no_syscalls(true);
}

/* False: it cannot be known who this is. */
static bool know_ourselves(void)
{
	if (ptl_door_forked())
		return true;
	ptl_slots_wipe();
	ptl_core_no_syscalls(NULL);
	return false;
}

void ptl_core_child(void)
{
	if (PTL_UNLIKELY(ptl_sys_door == PTL_DOOR_SHUT)) {
		born_quietly();
		return;
	}
	if (PTL_UNLIKELY(ptl_sys_door == PTL_DOOR_NARROW) && !know_ourselves())
		return;
	if (is_begun() && !ptl_slots_forked_child() && ptl_slots_may_call() &&
	    (uint32_t)ptl_sys_getpid() != ptl_attached.ident.pid)
		ptl_slots_wipe();
	ptl_core_forked();
}

uint64_t ptl_core_born(void)
{
	return ptl_attached.ident.born;
}

void ptl_core_counter(bool allowed)
{
	struct ptl_slot *slot;

	if (ptl_outsider())
		return;
	slot = ptl_slot_mine();
	if (!allowed)
		ptl_clock_guard(ptl_slots_may_call() && ptl_streams_any());
	else if (ptl_alone() && ptl_slots_may_call())
		ptl_clock_init();
	ptl_thread.no_counter = !allowed;
	if (slot)
		ptl_owner_allow(slot, allowed);
}
