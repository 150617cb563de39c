/* SPDX-License-Identifier: MIT */
/* See target.h.  The entry may be another's at any moment: its key tells. */
#include "core/api/target.h"

#include "core/record/attached.h"
#include "core/shm/allproc.h"
#include "core/shm/life.h"
#include "core/shm/segment.h"
#include "core/sys/ident.h"
#include "core/sys/syscall.h"

#include <errno.h>
#include <string.h>
#include <trace.h>

/*
 * A child just forked may not have come to claim its entry: then it has the
 * names of its nearest ancestor, as it would say itself.
 */
static void inherit_names(const struct ptl_target *target, int pid,
			  struct ptl_shm_entry *start)
{
	const struct ptl_shm_entry *entry;
	struct ptl_shm_ident ident;
	uint64_t key;

	for (unsigned int depth = 0; depth < 64; depth++) {
		pid = ptl_proc_parent(pid);
		if (pid <= 0 || ptl_ident_of(pid, &ident) != 0)
			return;
		entry = ptl_life_find(&target->registry, target->dir, &ident,
				      &key);
		if (!entry)
			continue;
		atomic_init(&start->names,
			    atomic_load_explicit(&entry->names,
						 memory_order_relaxed));
		return;
	}
}

/* The registry of the process's user. */
static int open_target(struct ptl_target *target)
{
	int err;

	target->dir = ptl_rundir_make(target->ident.uid);
	if (target->dir < 0)
		return -target->dir;
	err = ptl_registry_open(target->dir, target->ident.uid, true,
				&target->registry);
	if (err)
		ptl_sys_close(target->dir);
	return err;
}

void ptl_target_put(struct ptl_target *target)
{
	ptl_registry_close(&target->registry);
	ptl_sys_close(target->dir);
}

/* Every process of the caller's effective user. */
static int find_everyone(struct ptl_target *target)
{
	uint64_t none = 0,
		 own = atomic_load_explicit(&ptl_attached_entry()->names,
					    memory_order_relaxed);
	int err;

	target->all = true;
	target->ident = ptl_attached.ident;
	target->ident.uid = (uint32_t)ptl_sys_geteuid();
	err = open_target(target);
	if (err)
		return err;
	target->entry = &target->registry.shm->common;
	/* The caller at least is no stranger there. */
	if (own && target->ident.uid == ptl_attached.ident.uid)
		atomic_compare_exchange_strong_explicit(
			&target->entry->names, &none, own, memory_order_relaxed,
			memory_order_relaxed);
	return 0;
}

/* The caller's own, which it knows without a search among namesakes; NULL: it
 * is another process, or has none there. */
static struct ptl_shm_entry *own_entry(struct ptl_target *target)
{
	const struct ptl_registry *reg = &ptl_attached.registry;
	const struct ptl_shm_entry *own = ptl_attached_entry();

	if (own == &ptl_no_entry || ptl_attached_is_unlisted() ||
	    target->ident.pid != ptl_attached.ident.pid ||
	    target->ident.pidns != ptl_attached.ident.pidns ||
	    !ptl_registry_is_same(reg, &target->registry))
		return NULL;
	return ptl_registry_listed(&target->registry, ptl_registry_at(reg, own),
				   target->ident.pid, &target->key);
}

/* Twice: while we looked it may have come to another, where we had looked
 * already, and given that back to which we had not come yet. */
void ptl_target_find(struct ptl_target *target)
{
	target->entry = own_entry(target);
	for (unsigned int n = 0; n < 2 && !target->entry; n++)
		target->entry = ptl_life_find(&target->registry, target->dir,
					      &target->ident, &target->key);
}

/*
 * The entry of a process, made if it has none: it has not started the library,
 * or not come to its entry yet.  It looks for this one after it has claimed its
 * own, and we for its own after this.
 */
static int await(struct ptl_target *target, int pid)
{
	struct ptl_shm_entry start, *entry;
	uint64_t key;

	ptl_target_find(target);
	if (target->entry)
		return 0;
	memset(&start, 0, sizeof(start));
	inherit_names(target, pid, &start);
	start.ident = target->ident;
	entry = ptl_registry_claim(&target->registry, NULL, &start,
				   ptl_attached_life(&target->registry),
				   PTL_KEY_AWAIT);
	if (!entry)
		return ENOMEM;
	key = atomic_load_explicit(ptl_registry_key(&target->registry, entry),
				   memory_order_relaxed);
	/* Pairs with settle() in claim.c. */
	atomic_thread_fence(memory_order_seq_cst);
	ptl_target_find(target);
	if (target->entry != entry)
		ptl_registry_free(&target->registry, entry, key);
	/* The process has ended. */
	return target->entry ? 0 : ESRCH;
}

int ptl_target_get(pid_t pid, struct ptl_target *target)
{
	int err;

	if (pid == POSIX_TRACE_ALLPROC)
		return find_everyone(target);
	target->all = false;
	if (pid == 0)
		pid = ptl_sys_getpid();
	if (pid < 0)
		return ESRCH;
	err = ptl_proc_permission(pid);
	if (!err)
		err = ptl_ident_of(pid, &target->ident);
	if (err)
		return err;
	err = open_target(target);
	if (err)
		return err == ENOENT ? EPERM : err;
	err = await(target, pid);
	if (err)
		ptl_target_put(target);
	return err;
}

/* References to streams that are no more give way to new ones. */
static void drop_dead_refs(const struct ptl_target *target)
{
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++) {
		uint64_t ref = atomic_load_explicit(&target->entry->refs[i],
						    memory_order_relaxed);
		struct ptl_map *map;
		int err;

		if (!ref)
			continue;
		err = ptl_map_attach(target->dir, target->ident.uid,
				     ptl_ref_stream(ref), &map);
		if (err == 0)
			ptl_map_detach(map);
		else if (ptl_segment_is_gone(err))
			ptl_registry_drop(target->entry, i,
					  ptl_ref_stream(ref));
	}
}

/* The entry's process has claimed another entry in place of the one that we
 * made: there it has what it found in ours.  Pairs with settle() in claim.c. */
bool ptl_target_has_moved(const struct ptl_target *target)
{
	return atomic_load_explicit(
		       ptl_registry_key(&target->registry, target->entry),
		       memory_order_seq_cst) != target->key;
}

static int add(const struct ptl_target *target, const struct ptl_map *map)
{
	uint64_t ref = ptl_ref(map->id, map->head->attr.inherited ==
						POSIX_TRACE_INHERITED);

	if (ptl_registry_index(target->entry, map->id) >= 0 ||
	    ptl_registry_add(target->entry, ref, false,
			     map->head->attr.calls) >= 0)
		return 0;
	drop_dead_refs(target);
	return ptl_registry_add(target->entry, ref, false,
				map->head->attr.calls) >= 0 ?
		       0 :
		       EAGAIN;
}

/* The entry that was given back meanwhile may be any process's by now. */
static void take_back(struct ptl_shm_entry *entry, uint64_t stream)
{
	int i = ptl_registry_index(entry, stream);

	if (i >= 0)
		ptl_registry_drop(entry, (unsigned int)i, stream);
}

int ptl_target_name(struct ptl_target *target, struct ptl_map *map)
{
	struct ptl_shm_entry *before;
	int err;

	if (target->all)
		return ptl_allproc_name(&target->registry, map);
	for (unsigned int tries = 0; tries < PTL_TARGET_MOVES; tries++) {
		err = add(target, map);
		if (err || !ptl_target_has_moved(target))
			return err;
		/* Exec changes the key, too, and not the entry; and if the
		 * process has ended it has nothing to trace. */
		before = target->entry;
		ptl_target_find(target);
		if (target->entry != before)
			take_back(before, map->id);
		if (!target->entry)
			return ESRCH;
	}
	return EAGAIN;
}
