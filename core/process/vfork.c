/* SPDX-License-Identifier: MIT */
/*
 * A child that runs in its parent's memory has no memory of its own to say who
 * it is: what it needs until it executes a program is made for it by us, who
 * are its parent as far as our memory can tell.
 */
#include "core/process/vfork.h"

#include "core/process/caller.h"
#include "core/process/children.h"
#include "core/process/heir.h"
#include "core/process/heritage.h"
#include "core/process/join.h"
#include "core/process/mourn.h"
#include "core/record/attached.h"
#include "core/shm/bridge.h"
#include "core/shm/registry.h"
#include "core/sys/ident.h"

/* The child's program goes on by a bridge, as a process that has come already.
 */
static bool is_bridged(const struct ptl_map *map)
{
	return map->bridge || map->uid != ptl_attached.ident.uid;
}

/* Nobody looks after those in a registry: the bridge has to list it from now
 * on, or it has gone when its parent has and it is between two programs. */
static void list(const struct ptl_shm_ident *child, uint32_t state)
{
	const struct ptl_shm_entry *entry = ptl_attached_entry();
	uint32_t image =
		atomic_load_explicit(&entry->image, memory_order_relaxed);

	for (uint64_t left = ptl_attached_active(); left; left &= left - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(left);
		struct ptl_map *map = ptl_attached_map(i);

		if (map && is_bridged(map) &&
		    ptl_ref_inherited(atomic_load_explicit(
			    &entry->refs[i], memory_order_relaxed)))
			ptl_bridge_list(map, child, image, state);
	}
}

/* A child in our memory may have no entry, and come all the same. */
static void unlisted(uint32_t child, const char *program, bool begins)
{
	const struct ptl_shm_entry *entry = ptl_attached_entry();

	for (uint64_t left = ptl_attached_active(); left; left &= left - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(left);
		struct ptl_map *map = ptl_attached_map(i);

		if (!map || !ptl_ref_inherited(atomic_load_explicit(
				    &entry->refs[i], memory_order_relaxed)))
			continue;
		if (begins)
			ptl_children_came(map, child, false);
		ptl_children_executes(map, child, program);
	}
}

/* See settle() in claim.c. */
static void mourn_namesakes(const struct ptl_shm_ident *child,
			    struct ptl_shm_entry *start)
{
	struct ptl_shm_entry *entry;
	uint32_t at = 0;
	uint64_t key;

	while ((entry = ptl_registry_next_of(&ptl_attached.registry, child->pid,
					     &at, &key)) != NULL)
		if (ptl_key_state(key) == PTL_KEY_LISTED &&
		    entry->ident.pidns == child->pidns) {
			ptl_mourn_namesake(entry, key);
			start->called = 0;
		}
}

struct ptl_shm_entry *ptl_vfork_begins(const struct ptl_shm_ident *child,
				       const struct ptl_shm_parent *parent,
				       const char *program)
{
	struct ptl_heritage heritage;
	struct ptl_shm_entry *start = &heritage.entry, *entry;

	ptl_heritage_leave(&heritage);
	ptl_heir_begin(start, parent);
	start->ident = *child;
	ptl_registry_program(start, program);
	/* What else is it for? */
	ptl_registry_exec(start, true);
	start->called = ptl_caller_when();
	mourn_namesakes(child, start);
	list(child, PTL_MEMBER_JOINED);
	entry = ptl_registry_claim(&ptl_attached.registry, ptl_attached_entry(),
				   start, ptl_attached.life, PTL_KEY_LIST);
	if (!entry) {
		unlisted(child->pid, program, true);
		return NULL;
	}
	ptl_join_joined(
		atomic_load_explicit(&start->active, memory_order_relaxed),
		child->pid, false);
	return entry;
}

/* The entry that was made for it. */
static struct ptl_shm_entry *entry_of(uint32_t child, uint32_t at,
				      uint64_t *key)
{
	return at ? ptl_registry_listed(&ptl_attached.registry, at - 1, child,
					key) :
		    NULL;
}

void ptl_vfork_program(uint32_t child, uint32_t at, const char *program)
{
	uint64_t key;
	struct ptl_shm_entry *entry = entry_of(child, at, &key);

	if (entry)
		ptl_registry_program(entry, program);
	else
		unlisted(child, program, false);
}

void ptl_vfork_ends(const struct ptl_shm_ident *child, uint32_t at)
{
	uint64_t key;
	struct ptl_shm_entry *entry = entry_of(child->pid, at, &key);

	list(child, PTL_MEMBER_ENDED);
	unlisted(child->pid, NULL, false);
	if (entry)
		ptl_registry_free(&ptl_attached.registry, entry, key);
}
