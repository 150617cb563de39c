/* SPDX-License-Identifier: MIT */
/* See heritage.h. */
#include "core/process/heritage.h"

#include "core/process/aside.h"
#include "core/record/attached.h"
#include "core/shm/family.h"
#include "core/shm/registry.h"

#include <string.h>

/* A word that others may change at any moment, or one in private memory. */
static uint64_t get(const _Atomic uint64_t *word)
{
	return atomic_load_explicit(word, memory_order_relaxed);
}

static void copy(struct ptl_shm_entry *to, const struct ptl_shm_entry *from)
{
	uint64_t active;

	memset(to, 0, sizeof(*to));
	/* First: what goes with each bit is there.  Pairs with
	 * ptl_registry_add(). */
	active = atomic_load_explicit(&from->active, memory_order_acquire);
	memcpy(to->refs, from->refs, sizeof(to->refs));
	/* One that is being added, or dropped; not one that we stand aside of.
	 */
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++)
		if (!(active >> i & 1) && !ptl_aside_is_on())
			atomic_init(&to->refs[i], 0);
	atomic_init(&to->active, active);
	atomic_init(&to->strangers, get(&from->strangers));
	atomic_init(&to->calls, get(&from->calls));
	atomic_init(&to->names, get(&from->names));
	atomic_init(&to->image,
		    atomic_load_explicit(&from->image, memory_order_relaxed));
}

/* The byte that it has locked is no sign of its own life any more. */
static void mark_parent(struct ptl_shm_entry *entry)
{
	if (!ptl_registry_says(entry, PTL_ENTRY_PARENT))
		atomic_fetch_or_explicit(&entry->flags, PTL_ENTRY_PARENT,
					 memory_order_relaxed);
}

void ptl_heritage_leave(struct ptl_heritage *heritage)
{
	struct ptl_shm_entry *own = ptl_attached_entry();

	/* What is not mapped now the child could not find by the entry. */
	ptl_attached_unmapped();
	mark_parent(own);
	copy(&heritage->entry, own);
	heritage->expected = NULL;
}

/* Is what was read of the entry that of the process that we were before the
 * fork?  If it has ended it may be still. */
static bool is_parents(const struct ptl_shm_entry *entry)
{
	const struct ptl_shm_ident *parent = &ptl_attached.ident;
	uint64_t key;

	if (entry == &ptl_no_entry || ptl_attached_is_unlisted())
		return true;
	/* Pairs with take_free(): another writes to it after that. */
	atomic_thread_fence(memory_order_acquire);
	key = atomic_load_explicit(
		ptl_registry_key(&ptl_attached.registry, entry),
		memory_order_relaxed);
	return (ptl_key_state(key) == PTL_KEY_FREE ||
		ptl_key_pid(key) == parent->pid) &&
	       entry->ident.pid == parent->pid &&
	       entry->ident.pidns == parent->pidns &&
	       entry->ident.born == parent->born;
}

/* The streams that we have mapped: our memory is our parent's. */
static void copy_mapped(struct ptl_shm_entry *to)
{
	struct ptl_shm_names *names =
		atomic_load_explicit(&ptl_attached.names, memory_order_relaxed);
	uint64_t active = 0, strangers = 0, calls = 0;

	memset(to, 0, sizeof(*to));
	atomic_init(&to->names, names ? ptl_family_place(names) : 0);
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++) {
		struct ptl_map *map = atomic_load_explicit(
			&ptl_attached.map[i], memory_order_relaxed);
		uint64_t bit = UINT64_C(1) << i;

		if (!map)
			continue;
		atomic_init(&to->refs[i],
			    ptl_ref(map->id, map->head->attr.inherited ==
						     POSIX_TRACE_INHERITED));
		active |= bit;
		if (map->bridge || map->head->names != get(&to->names))
			strangers |= bit;
		if (map->head->attr.calls)
			calls |= bit;
	}
	atomic_init(&to->active, active);
	atomic_init(&to->strangers, strangers);
	atomic_init(&to->calls, calls);
}

void ptl_heritage_find(struct ptl_heritage *heritage)
{
	struct ptl_shm_entry *parents = ptl_attached_entry();

	heritage->expected = NULL;
	copy(&heritage->entry, parents);
	if (is_parents(parents))
		mark_parent(parents);
	else
		copy_mapped(&heritage->entry);
}

uint64_t ptl_heritage_mapped(const struct ptl_heritage *heritage)
{
	uint64_t mapped = 0;

	for (uint64_t left = get(&heritage->entry.active); left;
	     left &= left - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(left);
		struct ptl_map *map = atomic_load_explicit(
			&ptl_attached.map[i], memory_order_relaxed);

		if (map &&
		    map->id == ptl_ref_stream(get(&heritage->entry.refs[i])))
			mapped |= left & -left;
	}
	return mapped;
}
