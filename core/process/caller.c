/* SPDX-License-Identifier: MIT */
#include "core/process/caller.h"

#include "core/buffer/outsider.h"
#include "core/core.h"
#include "core/record/attached.h"
#include "core/record/slots.h"
#include "core/sys/ident.h"

/* Where this thread called fork(), or the like of it. */
static __thread const void *called_from
	__attribute__((tls_model("initial-exec")));

void ptl_caller_comes(const void *addr)
{
	struct ptl_slot *slot = ptl_attached_active() ? ptl_slot_mine() : NULL;

	called_from = addr;
	if (slot)
		slot->called = ptl_core_call_time();
}

const void *ptl_caller_addr(void)
{
	return ptl_outsider() ? NULL : called_from;
}

uint64_t ptl_caller_when(void)
{
	const struct ptl_slot *slot = ptl_outsider() ? NULL : ptl_thread.slot;

	return slot && ptl_slot_owned(slot) ? slot->called : 0;
}

struct ptl_shm_parent ptl_caller_parent(const struct ptl_shm_entry *entry,
					const void *addr)
{
	const struct ptl_shm_ident *own = &ptl_attached.ident;
	bool is_known = !ptl_outsider();

	return (struct ptl_shm_parent){
		.pid = own->pid,
		.tid = is_known && ptl_thread.tid ? ptl_thread.tid : own->pid,
		.thread = is_known ? ptl_ident_thread() : 0,
		.image = atomic_load_explicit(&entry->image,
					      memory_order_relaxed),
		.pidns = (uint32_t)own->pidns,
		.addr = (uintptr_t)addr,
	};
}
