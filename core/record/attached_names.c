/* SPDX-License-Identifier: MIT */
/* See attached_names.h.  What is here happens in handlers, too: a thread that
 * loses a race undoes what it did. */
#include "core/record/attached_names.h"

#include "core/record/attached.h"
#include "core/record/slots.h"
#include "core/shm/apart.h"
#include "core/shm/family.h"
#include "core/shm/segment.h"
#include "core/sys/syscall.h"

/* The former table was apart, and stays mapped: other threads may be looking at
 * it. */
static _Atomic(struct ptl_shm_names *) former;

static struct ptl_shm_names *mapped(void)
{
	/* Pairs with install(). */
	return atomic_load_explicit(&ptl_attached.names, memory_order_acquire);
}

/* In place of `was'.  Returns what is there now. */
static struct ptl_shm_names *install(struct ptl_shm_names *was,
				     struct ptl_shm_names *names)
{
	/* Pairs with mapped(). */
	if (atomic_compare_exchange_strong_explicit(&ptl_attached.names, &was,
						    names, memory_order_seq_cst,
						    memory_order_acquire))
		return names;
	ptl_sys_munmap(names, sizeof(*names));
	return was;
}

static int map_file(uint64_t id, struct ptl_shm_names **names)
{
	int dir = ptl_rundir_open(ptl_attached.ident.uid, false), err;

	if (dir < 0)
		return -dir;
	err = ptl_family_find(dir, ptl_attached.ident.uid, id, names);
	ptl_sys_close(dir);
	return err;
}

/* The table that our entry names, or one that it names from now on; NULL: it
 * cannot be had now. */
static struct ptl_shm_names *find_or_make(struct ptl_shm_entry *entry)
{
	uint64_t id = atomic_load_explicit(&entry->names, memory_order_relaxed);
	struct ptl_shm_names *names;
	int err = ENOENT;

	if (ptl_apart_is(id))
		err = ptl_apart_attach(ptl_attached.ident.uid, id, &names);
	else if (id)
		err = map_file(id, &names);
	if (!err)
		return names;
	/* The others of the family go on with theirs. */
	if (!ptl_segment_is_gone(err))
		return NULL;
	names = ptl_apart_make();
	/* Pairs with ptl_attached_names_agree(). */
	if (!names || atomic_compare_exchange_strong_explicit(
			      &entry->names, &id, names->prefix.id,
			      memory_order_seq_cst, memory_order_relaxed))
		return names;
	ptl_sys_munmap(names, sizeof(*names));
	return NULL;
}

/* Our names go to that file, or have gone there.  Returns the table that is
 * ours then. */
static struct ptl_shm_names *follow(struct ptl_shm_names *names, uint64_t id)
{
	uint64_t was = names->prefix.id;
	struct ptl_shm_names *file;

	if (!ptl_slots_may_call() || map_file(id, &file) != 0)
		return names;
	if (ptl_family_move(names, file) != 0) {
		ptl_sys_munmap(file, sizeof(*file));
		return names;
	}
	atomic_compare_exchange_strong_explicit(&ptl_attached_entry()->names,
						&was, id, memory_order_relaxed,
						memory_order_relaxed);
	atomic_store_explicit(&former, names, memory_order_relaxed);
	return install(names, file);
}

struct ptl_shm_names *ptl_attached_names_former(void)
{
	return atomic_load_explicit(&former, memory_order_relaxed);
}

static bool are_closed(void)
{
	return atomic_load_explicit(&ptl_attached.names_closed,
				    memory_order_relaxed);
}

/* Who looked at our entry a moment ago may have put another there. */
static uint64_t place_now(const struct ptl_shm_names *names)
{
	uint64_t place = ptl_family_place(names), said;

	/* Pairs with ptl_attached_names_agree(). */
	said = atomic_load_explicit(&ptl_attached_entry()->names,
				    memory_order_seq_cst);
	return ptl_apart_is(place) && said && !ptl_apart_is(said) ? said :
								    place;
}

struct ptl_shm_names *ptl_attached_names(void)
{
	struct ptl_shm_names *names = mapped();
	uint64_t place;

	if (are_closed())
		return names;
	for (unsigned int tries = 0; !names && tries < 2; tries++) {
		if (!ptl_slots_may_call())
			return NULL;
		names = find_or_make(ptl_attached_entry());
		if (names)
			names = install(NULL, names);
	}
	if (!names)
		return NULL;
	place = place_now(names);
	return place == names->prefix.id ? names : follow(names, place);
}

uint64_t ptl_attached_names_id(void)
{
	const struct ptl_shm_names *names = mapped();

	return names ? ptl_family_place(names) : 0;
}

bool ptl_attached_names_agree(const struct ptl_map *map)
{
	struct ptl_shm_names *names;

	/* Pairs with install(): a thread that has names to tell sees what our
	 * entry says, or we see them. */
	atomic_thread_fence(memory_order_seq_cst);
	names = mapped();
	if (!names || !ptl_apart_is(names->prefix.id) ||
	    ptl_family_place(names) == map->head->names)
		return true;
	return place_now(names) == map->head->names &&
	       follow(names, map->head->names)->prefix.id == map->head->names;
}
