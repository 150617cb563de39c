/* SPDX-License-Identifier: MIT */
/*
 * A creator names its stream in the common entry first and then in that of each
 * process; a process that comes makes its own entry first and then looks at the
 * common one.  So one of the two sees the other; if both do, ptl_registry_add()
 * leaves one reference.
 */
#include "core/shm/allproc.h"

#include "core/shm/family.h"

#include <errno.h>
#include <trace.h>

/* A stream that everyone is in, for one of them, of that user. */
static void add(struct ptl_shm_entry *entry, uint32_t uid, uint64_t ref,
		uint64_t names, bool calls)
{
	uint64_t own;

	if (ptl_registry_index(entry, ptl_ref_stream(ref)) >= 0)
		return;
	own = atomic_load_explicit(&entry->names, memory_order_relaxed);
	/* Names are complete before their id is anywhere. */
	if ((own == 0 || ptl_family_place_of(uid, own) == names) &&
	    atomic_compare_exchange_strong_explicit(&entry->names, &own, names,
						    memory_order_relaxed,
						    memory_order_relaxed))
		own = names;
	ptl_registry_add(entry, ref, own != names, calls);
}

int ptl_allproc_name(const struct ptl_registry *reg, struct ptl_map *map)
{
	struct ptl_shm_head *head = map->head;
	uint64_t ref =
		ptl_ref(map->id, head->attr.inherited == POSIX_TRACE_INHERITED);
	struct ptl_shm_entry *entry;
	uint32_t at = 0;
	uint64_t key;

	if (ptl_registry_add(&reg->shm->common, ref, false, head->attr.calls) <
	    0)
		return EAGAIN;
	/* Pairs with ptl_allproc_join(). */
	atomic_thread_fence(memory_order_seq_cst);
	while ((entry = ptl_registry_next(reg, &at, &key)) != NULL) {
		if (ptl_key_state(key) != PTL_KEY_LISTED &&
		    ptl_key_state(key) != PTL_KEY_AWAITED)
			continue;
		add(entry, map->uid, ref, head->names, head->attr.calls);
		if (ptl_registry_says(entry, PTL_ENTRY_LOADED))
			atomic_fetch_add_explicit(&head->processes, 1,
						  memory_order_relaxed);
	}
	return 0;
}

bool ptl_allproc_any(const struct ptl_registry *reg)
{
	/* Pairs with ptl_allproc_name(). */
	atomic_thread_fence(memory_order_seq_cst);
	return reg->shm && atomic_load_explicit(&reg->shm->common.active,
						memory_order_relaxed);
}

void ptl_allproc_join(const struct ptl_registry *reg, int dir,
		      struct ptl_shm_entry *entry, bool child)
{
	if (!ptl_allproc_any(reg))
		return;
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++) {
		/* Pairs with ptl_registry_add(). */
		uint64_t ref = atomic_load_explicit(&reg->shm->common.refs[i],
						    memory_order_acquire);
		struct ptl_map *map;

		if (!ref || (child && !ptl_ref_inherited(ref)) ||
		    ptl_registry_index(entry, ptl_ref_stream(ref)) >= 0 ||
		    ptl_map_attach(dir, reg->uid, ptl_ref_stream(ref), &map) !=
			    0)
			continue;
		if (!(ptl_map_state(map) & PTL_STATE_DEAD))
			add(entry, reg->uid, ref, map->head->names,
			    map->head->attr.calls);
		ptl_map_detach(map);
	}
}

void ptl_allproc_unname(const struct ptl_registry *reg, uint64_t stream)
{
	int i = ptl_registry_index(&reg->shm->common, stream);

	if (i >= 0)
		ptl_registry_drop(&reg->shm->common, (unsigned int)i, stream);
}
