/* SPDX-License-Identifier: MIT */
/* See mourn.h. */
#include "core/process/mourn.h"

#include "core/buffer/loss.h"
#include "core/process/birth.h"
#include "core/process/children.h"
#include "core/record/attached.h"
#include "core/shm/registry.h"
#include "core/shm/segment.h"
#include "core/shm/untraced.h"
#include "core/stream/bridges.h"
#include "core/sys/ident.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

/* Of a child that was forked and ended before it could say that it is there. */
static void tell_birth(struct ptl_map *map, struct ptl_shm_entry *entry,
		       const struct ptl_shm_ident *who, uint64_t bit)
{
	if (atomic_load_explicit(&entry->unannounced, memory_order_relaxed) &
	    bit)
		ptl_birth_tell(map, &entry->parent, who, entry->called, 0);
	atomic_fetch_and_explicit(&entry->unannounced, ~bit,
				  memory_order_relaxed);
	if (ptl_registry_says(entry, PTL_ENTRY_EXPECTED))
		ptl_children_came(map, who->pid, true);
}

/* Where its file is in no directory that we have, as after a mount, it may be
 * mapped. */
static int attach(int dir, uint32_t uid, uint64_t id, struct ptl_map **map)
{
	if (dir >= 0)
		return ptl_map_attach(dir, uid, id, map);
	*map = ptl_attached_find(id);
	return *map ? 0 : EBADF;
}

static void detach(int dir, struct ptl_map *map)
{
	if (dir >= 0)
		ptl_map_detach(map);
}

/* The process was in a program that had not started us. */
static void tell_untraced(struct ptl_map *map,
			  const struct ptl_shm_entry *entry, int status)
{
	bool filtered = ptl_registry_says(entry, PTL_ENTRY_FILTERED);
	char program[PTL_ENTRY_PROGRAM];

	ptl_strcopy(program, sizeof(program), entry->program);
	if (program[0])
		ptl_untraced_add(map, program,
				 ptl_untraced_why(filtered, status));
}

bool ptl_mourn_in(int dir, uint32_t uid, struct ptl_shm_entry *entry,
		  const struct ptl_shm_ident *who, unsigned int i,
		  const struct ptl_end *end)
{
	uint64_t ref =
		atomic_load_explicit(&entry->refs[i], memory_order_relaxed);
	uint64_t bit = UINT64_C(1) << i;
	enum ptl_crossing crossing;
	struct ptl_map *map;
	int err;

	/* Relaxed, as the finder's word: its former owner is dead. */
	if (!ref ||
	    atomic_load_explicit(&entry->mourned, memory_order_relaxed) & bit)
		return true;
	err = attach(dir, uid, ptl_ref_stream(ref), &map);
	if (err)
		return ptl_segment_is_gone(err);
	tell_birth(map, entry, who, bit);
	ptl_loss_missed(map, entry, i);
	crossing = ptl_bridges_ended(
		map, who, ptl_registry_says(entry, PTL_ENTRY_LEFT), end);
	if (crossing == PTL_CROSSED_LIVES) {
		detach(dir, map);
		return false;
	}
	if (ptl_registry_says(entry, PTL_ENTRY_LEFT))
		ptl_children_settle(map, who->pid, crossing != PTL_CROSSED_NOT);
	if (crossing == PTL_CROSSED_NOT) {
		ptl_bridges_tell_end(map, who,
				     atomic_load_explicit(&entry->image,
							  memory_order_relaxed),
				     end);
		tell_untraced(map, entry, end->status);
	}
	atomic_fetch_or_explicit(&entry->mourned, bit, memory_order_relaxed);
	detach(dir, map);
	return true;
}

uint32_t ptl_mourner(void)
{
	uint64_t namespace = ptl_ident_pidns * UINT64_C(0x9e3779b97f4a7c15);

	return (uint32_t)(namespace >> (32 + PTL_MOURNER_BITS))
		       << PTL_MOURNER_BITS |
	       ((uint32_t)ptl_sys_gettid() & ((1u << PTL_MOURNER_BITS) - 1));
}

/* Only its parent is told: one that cannot record it leaves it to others. */
static int known_status(struct ptl_shm_entry *entry, int wait_status)
{
	uint32_t reaped;

	if (wait_status >= 0) {
		atomic_store_explicit(&entry->reaped,
				      1 + ((uint32_t)wait_status & 0xffff),
				      memory_order_relaxed);
		return wait_status;
	}
	reaped = atomic_load_explicit(&entry->reaped, memory_order_relaxed);
	return reaped ? (int)(reaped - 1) & 0xffff : -1;
}

void ptl_mourn(const struct ptl_registry *reg, int dir,
	       struct ptl_shm_entry *entry, uint64_t key,
	       const struct ptl_end *end)
{
	struct ptl_shm_ident ident = ptl_registry_ident(entry, key);
	bool is_first = ptl_key_state(key) != PTL_KEY_FOUND;
	bool told = !ptl_registry_says(entry, PTL_ENTRY_LOADED) ||
		    ptl_registry_says(entry, PTL_ENTRY_ENDED);
	struct ptl_end known = *end;

	if (told) {
		ptl_registry_free(reg, entry, key);
		return;
	}
	if (!ptl_registry_change(reg, entry, &key, PTL_KEY_FIND, ptl_mourner(),
				 ptl_attached_life(reg)))
		return;
	/* Who has found it writes to it. */
	if (is_first)
		entry->ident = ident;
	known.status = known_status(entry, end->status);
	told = true;
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++)
		told &= ptl_mourn_in(dir, reg->uid, entry, &entry->ident, i,
				     &known);
	/* Else it is left to a process that has descriptors, or memory: as one
	 * whose program will not start any more. */
	ptl_registry_exec(entry, false);
	if (told)
		ptl_registry_free(reg, entry, key);
	else
		ptl_registry_change(reg, entry, &key, PTL_KEY_POSTPONE,
				    entry->ident.pid, PTL_LIFE_OVER);
}

void ptl_mourn_namesake(struct ptl_shm_entry *entry, uint64_t key)
{
	const struct ptl_registry *reg = &ptl_attached.registry;
	int dir = ptl_rundir_reopen(reg->uid);

	if (dir >= 0 && ptl_registry_is_in(reg, dir, reg->uid))
		ptl_mourn(reg, dir, entry, key, PTL_END(-1));
	if (dir >= 0)
		ptl_sys_close(dir);
}

void ptl_mourn_unseen(const struct ptl_shm_parent *parent, uint64_t called,
		      const struct ptl_shm_ident *who, const char *program,
		      const struct ptl_end *end)
{
	const struct ptl_shm_entry *entry = ptl_attached_entry();

	for (uint64_t left = ptl_attached_active(); left; left &= left - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(left);
		struct ptl_map *map = ptl_attached_map(i);

		bool inherited = ptl_ref_inherited(atomic_load_explicit(
			&entry->refs[i], memory_order_relaxed));

		if (map && (inherited || !program[0]))
			ptl_birth_tell(map, parent, who, called, 0);
		if (!map || !inherited)
			continue;
		ptl_children_came(map, who->pid, program[0]);
		ptl_bridges_tell_end(map, who, 0, end);
		if (program[0])
			ptl_untraced_add(map, program,
					 ptl_untraced_why(false, end->status));
	}
}
