/* SPDX-License-Identifier: MIT */
#include "core/record/child.h"

#include "core/format/sysevents.h"
#include "core/record/announced.h"
#include "core/record/attached.h"
#include "core/record/emit.h"
#include "core/record/owner.h"
#include "core/record/slots.h"
#include "core/record/upcall.h"
#include "core/shm/registry.h"
#include "core/sys/clock.h"
#include "core/sys/syscall.h"
#include "core/unwind/scratch.h"

/* Do children inherit stream bit i? */
static bool is_handed_on(unsigned int i)
{
	return ptl_ref_inherited(atomic_load_explicit(
		&ptl_attached_entry()->refs[i], memory_order_relaxed));
}

static void emit_as(struct ptl_map *map, unsigned int i,
		    const struct ptl_emit_as *as, uint32_t id, const void *data,
		    size_t size, const void *addr)
{
	if (id & PTL_EMIT_STACKED)
		ptl_emit_stacked_as(map, as, addr,
				    ptl_attached_id(i, id & ~PTL_EMIT_STACKED),
				    data, size);
	else
		ptl_emit_as(map, as, ptl_attached_id(i, id), data, size,
			    map->max_data, addr);
}

/* Of a function in the memory it is told once what it is called: that is so for
 * the parent, too, which goes on with the memory. */
static bool is_of_memory(uint32_t id)
{
	return id == PTL_EV_CALL_SYMBOL;
}

bool ptl_child_record(struct ptl_slot *slot, uint64_t active, uint32_t id,
		      const void *data, size_t size, const void *addr)
{
	struct ptl_emit_as as, parent;
	struct ptl_announced *child;
	uint32_t pid;

	if (!ptl_slots_may_call())
		return false;
	pid = (uint32_t)ptl_sys_getpid();
	ptl_owner_as(slot, &parent);
	if (!ptl_slots_is_child(slot, pid)) {
		slot->attention &= ~PTL_ATTENTION_VFORK;
		if (!slot->attention)
			slot->busy = PTL_SLOT_IDLE;
		/* What was forbidden to the child stands in our memory. */
		if (ptl_thread.no_counter)
			ptl_owner_allow(slot, ptl_clock_allowed(PTL_CLOCK_TSC));
		return false;
	}
	as = parent;
	child = ptl_announced_find(slot, pid);
	if (!child)
		child = ptl_fork_vforked(&as, pid);
	as.pid = as.tid = pid;
	as.pidns = child->pidns;
	for (; active; active &= active - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(active);
		struct ptl_map *map = ptl_attached_map(i);

		if (map && is_of_memory(id))
			emit_as(map, i, &parent, id, data, size, addr);
		if (!is_handed_on(i))
			continue;
		if (map)
			emit_as(map, i, &as, id, data, size, addr);
		else
			ptl_registry_miss(ptl_attached_entry(), i);
	}
	return true;
}

uint64_t ptl_child_settle(uint64_t active)
{
	struct ptl_aside *aside;

	if (PTL_LIKELY(!ptl_slots_forked()) || !ptl_slots_may_call())
		return active;
	aside = ptl_aside_take();
	if (!aside)
		return active;
	/* What the parent had open for reading is freed. */
	ptl_aside_save(aside);
	ptl_fork_child();
	ptl_aside_restore(aside);
	ptl_aside_put(aside);
	return active & ptl_attached_active();
}
