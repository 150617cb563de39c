/* SPDX-License-Identifier: MIT */
/*
 * How a process keeps the streams that trace it mapped, and lets them go.
 * Everything here can happen in a recording thread, so it is made of system
 * calls and compare-and-swap alone; a thread that loses a race undoes what it
 * did.
 */
#include "core/record/attached.h"

#include "core/buffer/loss.h"
#include "core/core.h"
#include "core/record/attached_names.h"
#include "core/record/slots.h"
#include "core/shm/life.h"
#include "core/shm/segment.h"
#include "core/shm/select.h"
#include "core/sys/syscall.h"

#include <string.h>
#include <trace.h>

struct ptl_shm_entry ptl_no_entry PTL_BULK;

/* Before init nothing traces us: see ptl_no_entry. */
static const uint64_t not_active;
const uint64_t *ptl_core_active = &not_active;

/*
 * For the macro; set when the entry is.  A program may have a copy of this
 * variable (a copy relocation), which then is the one: an exported symbol is
 * reached through the global offset table, in the library too.
 */
static const unsigned long long no_stream;
PTL_EXPORT const unsigned long long *posix_trace_active_np = &no_stream;

struct ptl_attached ptl_attached = {.entry = &ptl_no_entry};

/* Dropped mappings that some thread may still be inside of. */
static _Atomic(struct ptl_map *) parked[PTL_MAX_STREAMS] PTL_BULK;

void ptl_attached_set_entry(struct ptl_shm_entry *entry)
{
	/* Pairs with nothing: an entry is complete before it is published. */
	atomic_store_explicit(&ptl_attached.entry, entry, memory_order_relaxed);
	__atomic_store_n(&ptl_core_active, (const void *)&entry->active,
			 __ATOMIC_RELAXED);
	__atomic_store_n(&posix_trace_active_np, (const void *)&entry->active,
			 __ATOMIC_RELAXED);
}

/* Of this process, where the registry has none for it; written when it ends, so
 * it is among what is written anyway. */
static struct ptl_shm_entry private_entry;

bool ptl_attached_is_unlisted(void)
{
	return ptl_registry_says(ptl_attached_entry(), PTL_ENTRY_UNLISTED);
}

void ptl_attached_go_private(const struct ptl_shm_entry *start)
{
	const struct ptl_shm_entry *from = start ? start : ptl_attached_entry();

	if (from != &private_entry)
		memcpy(&private_entry, from, sizeof(*from));
	private_entry.ident = ptl_attached.ident;
	atomic_fetch_or_explicit(&private_entry.flags, PTL_ENTRY_UNLISTED,
				 memory_order_relaxed);
	ptl_attached_set_entry(&private_entry);
}

/* What goes with the bytes, and is not cut: integers, an address, the time. */
#define BESIDE_IO_DATA 320

uint32_t ptl_core_io_data;

static void learn_io_data(const struct ptl_map *map)
{
	uint64_t size =
		atomic_load_explicit(&map->head->io_data, memory_order_relaxed);
	uint64_t room = map->max_data - PTL_MIN(map->max_data, BESIDE_IO_DATA);

	size = PTL_MIN(PTL_MIN(size, room), INT32_MAX);
	if (size > __atomic_load_n(&ptl_core_io_data, __ATOMIC_RELAXED))
		__atomic_store_n(&ptl_core_io_data, (uint32_t)size,
				 __ATOMIC_RELAXED);
}

void ptl_attached_learn(const struct ptl_map *map)
{
	if (ptl_selects(map))
		atomic_store_explicit(&ptl_attached.selects, 1,
				      memory_order_relaxed);
}

bool ptl_attached_install(unsigned int i, struct ptl_map *map)
{
	struct ptl_map *none = NULL;

	learn_io_data(map);
	ptl_attached_learn(map);
	/* The clock is that of nearly all streams. */
	atomic_store_explicit(&ptl_attached.clock, map->clock,
			      memory_order_relaxed);
	/* Pairs with ptl_attached_map(): a thread that sees the entry sees it
	 * filled in. */
	return atomic_compare_exchange_strong_explicit(
		&ptl_attached.map[i], &none, map, memory_order_release,
		memory_order_relaxed);
}

struct ptl_map *ptl_attached_map_from(int dir, unsigned int i)
{
	struct ptl_map *map;
	uint64_t ref;
	int err;

	/* Pairs with ptl_attached_install(). */
	map = atomic_load_explicit(&ptl_attached.map[i], memory_order_acquire);
	if (map)
		return map;
	/* Pairs with ptl_registry_add(). */
	ref = atomic_load_explicit(&ptl_attached_entry()->refs[i],
				   memory_order_acquire);
	if (!ref)
		return NULL;
	err = ptl_map_attach_recorder(dir, ptl_attached.ident.uid,
				      ptl_ref_stream(ref), &map);
	/* Other errors may pass: the program is out of descriptors, say. */
	if (err == ENOENT)
		ptl_registry_drop(ptl_attached_entry(), i, ptl_ref_stream(ref));
	if (err)
		return NULL;
	if (!ptl_attached_names_agree(map))
		atomic_fetch_or_explicit(&ptl_attached_entry()->strangers,
					 UINT64_C(1) << i,
					 memory_order_relaxed);
	if (ptl_attached_install(i, map)) {
		ptl_loss_missed(map, ptl_attached_entry(), i);
		return map;
	}
	ptl_map_detach(map);
	/* Pairs with ptl_attached_install(). */
	return atomic_load_explicit(&ptl_attached.map[i], memory_order_acquire);
}

struct ptl_map *ptl_attached_map(unsigned int i)
{
	struct ptl_map *map;
	int dir;

	/* Pairs with ptl_attached_install(). */
	map = atomic_load_explicit(&ptl_attached.map[i], memory_order_acquire);
	if (map || !ptl_slots_may_call())
		return map;
	dir = ptl_rundir_open(ptl_attached.ident.uid, false);
	if (dir < 0)
		return NULL;
	map = ptl_attached_map_from(dir, i);
	ptl_sys_close(dir);
	return map;
}

struct ptl_map *ptl_attached_find(uint64_t id)
{
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++) {
		/* Pairs with ptl_attached_install(). */
		struct ptl_map *map = atomic_load_explicit(
			&ptl_attached.map[i], memory_order_acquire);

		if (map && map->id == id && !map->bridge)
			return map;
	}
	return NULL;
}

uint64_t ptl_attached_unmapped(void)
{
	uint64_t unmapped = 0;

	for (uint64_t left = ptl_attached_active(); left; left &= left - 1)
		if (!ptl_attached_map((unsigned int)__builtin_ctzll(left)))
			unmapped |= left & -left;
	/* Without those that were found dead. */
	return unmapped & ptl_attached_active();
}

void ptl_attached_reap(void)
{
	for (unsigned int i = 0; i < PTL_ARRAY_SIZE(parked); i++) {
		struct ptl_map *map =
			atomic_load_explicit(&parked[i], memory_order_relaxed);

		if (!map)
			continue;
		if (!ptl_slots_may_call() || !ptl_slots_quiet(map))
			continue;
		/* Pairs with ptl_attached_drop(). */
		if (atomic_compare_exchange_strong_explicit(
			    &parked[i], &map, NULL, memory_order_acq_rel,
			    memory_order_relaxed))
			ptl_map_detach(map);
	}
}

void ptl_attached_drop(unsigned int i, struct ptl_map *map)
{
	struct ptl_map *expected = map;

	ptl_registry_drop(ptl_attached_entry(), i, map->id);
	/* Pairs with ptl_attached_install(). */
	if (!atomic_compare_exchange_strong_explicit(
		    &ptl_attached.map[i], &expected, NULL, memory_order_acq_rel,
		    memory_order_relaxed))
		return;
	for (unsigned int p = 0; p < PTL_ARRAY_SIZE(parked); p++) {
		struct ptl_map *none = NULL;

		/* Pairs with ptl_attached_reap(). */
		if (atomic_compare_exchange_strong_explicit(
			    &parked[p], &none, map, memory_order_acq_rel,
			    memory_order_relaxed))
			return;
	}
	/* No place to park: it stays mapped until the process ends. */
}

/* In the order that leaves no moment in which our key names a byte that we have
 * not locked. */
static void take_life(struct ptl_shm_entry *entry, int dir)
{
	const struct ptl_registry *reg = &ptl_attached.registry;
	uint64_t key = atomic_load_explicit(ptl_registry_key(reg, entry),
					    memory_order_relaxed);
	uint32_t life = ptl_life_take(reg, dir);

	if (!life || !ptl_registry_change(reg, entry, &key, PTL_KEY_MARK,
					  ptl_key_pid(key), life))
		return;
	ptl_attached.life = life;
	atomic_fetch_and_explicit(&entry->flags, ~PTL_ENTRY_HEIR,
				  memory_order_relaxed);
	ptl_life_let_go();
}

void ptl_attached_own_life(void)
{
	static _Atomic uint32_t taker; /* the process that has tried */
	struct ptl_shm_entry *entry = ptl_attached_entry();
	uint32_t pid = ptl_attached.ident.pid;
	int dir;

	if (!ptl_registry_says(entry, PTL_ENTRY_HEIR) ||
	    ptl_registry_says(entry, PTL_ENTRY_UNLISTED) ||
	    !ptl_slots_may_call() || ptl_slots_forked() ||
	    atomic_exchange_explicit(&taker, pid, memory_order_relaxed) == pid)
		return;
	dir = ptl_rundir_open(ptl_attached.registry.uid, false);
	if (dir < 0)
		return;
	take_life(entry, dir);
	ptl_sys_close(dir);
}

void ptl_attached_forget(void)
{
	const struct ptl_registry *reg = &ptl_attached.registry;
	struct ptl_shm_entry *entry = ptl_attached_entry();
	uint64_t key;

	if (entry == &ptl_no_entry || ptl_attached_is_unlisted())
		return;
	/* Events are still recorded; the entry may be another's any moment, or
	 * is by now if we were taken for dead. */
	ptl_attached_go_private(NULL);
	if (ptl_registry_listed(reg, ptl_registry_at(reg, entry),
				ptl_attached.ident.pid, &key) &&
	    entry->ident.pidns == ptl_attached.ident.pidns)
		ptl_registry_free(reg, entry, key);
}
