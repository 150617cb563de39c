/* SPDX-License-Identifier: MIT */
/*
 * How the child of a fork comes into the streams that it inherits: its parent
 * has claimed an entry for it, or it claims one itself.  A child that no
 * wrapper has seen does so wherever it first records, so this is made of system
 * calls and compare-and-swap alone.
 */
#include "core/process/heir.h"

#include "core/process/aside.h"
#include "core/process/claim.h"
#include "core/process/guest.h"
#include "core/process/join.h"
#include "core/record/attached.h"
#include "core/shm/allproc.h"
#include "core/shm/life.h"
#include "core/shm/registry.h"
#include "core/shm/rundir.h"
#include "core/sys/ident.h"
#include "core/sys/syscall.h"

void ptl_heir_begin(struct ptl_shm_entry *start,
		    const struct ptl_shm_parent *who)
{
	atomic_init(&start->flags, PTL_ENTRY_LOADED | PTL_ENTRY_HEIR);
	start->parent = *who;
	ptl_join_keep_inherited(start);
	/* Also in those that it stands aside of. */
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++)
		if (atomic_load_explicit(&start->refs[i], memory_order_relaxed))
			atomic_fetch_or_explicit(&start->unannounced,
						 UINT64_C(1) << i,
						 memory_order_relaxed);
}

/* We were born into another pid namespace. */
static void come_elsewhere(void)
{
	ptl_ident_pidns = ptl_attached.ident.pidns;
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++) {
		struct ptl_map *map = atomic_load_explicit(
			&ptl_attached.map[i], memory_order_relaxed);

		if (map)
			ptl_map_moved(map);
	}
}

/*
 * A child in another pid namespace has a byte of its own: those who judge it
 * from elsewhere have nothing else.  One of a process that has changed its user
 * is in its own user's registry.  The former one stays mapped: a handler may
 * have forked between a look where our entry is and a look into it.
 */
static void begin_anew(struct ptl_shm_entry *start, bool other_user)
{
	struct ptl_registry *reg = &ptl_attached.registry;
	uint32_t uid = ptl_attached.ident.uid, life = PTL_LIFE_NONE;
	int dir = other_user ? ptl_rundir_open(uid, true) :
			       ptl_rundir_reopen(reg->uid);

	if (other_user) {
		*reg = (struct ptl_registry){.uid = uid};
		if (dir >= 0)
			ptl_registry_open(dir, uid, true, reg);
	}
	if (dir >= 0) {
		life = ptl_life_take(reg, dir);
		ptl_sys_close(dir);
	}
	if (!life && !other_user)
		return;
	ptl_attached.life = life;
	atomic_fetch_and_explicit(&start->flags, ~PTL_ENTRY_HEIR,
				  memory_order_relaxed);
}

void ptl_heir_expect(struct ptl_heritage *heritage,
		     const struct ptl_shm_parent *parent)
{
	struct ptl_shm_entry *entry = ptl_registry_reserve(
		&ptl_attached.registry, ptl_attached_entry(), &heritage->entry,
		ptl_attached.ident.pid, ptl_attached.life, &heritage->key);

	heritage->expected = entry;
	if (!entry)
		return;
	entry->ident = ptl_attached.ident;
	entry->ident.pid = 0;
	entry->ident.born = PTL_BORN_UNSEEN;
	ptl_heir_begin(entry, parent);
	atomic_fetch_or_explicit(&entry->flags, PTL_ENTRY_EXPECTED,
				 memory_order_relaxed);
}

void ptl_heir_made(const struct ptl_heritage *heritage, uint32_t pid)
{
	uint64_t key = heritage->key;

	if (!heritage->expected)
		return;
	/* Unless the child has done so. */
	if (pid)
		ptl_registry_change(&ptl_attached.registry, heritage->expected,
				    &key, PTL_KEY_LIST, pid, ptl_key_life(key));
	else
		ptl_registry_free(&ptl_attached.registry, heritage->expected,
				  key);
}

/*
 * An entry of our own, in place of the one that was claimed for us: until that
 * is given back it stands for our birth and our end.
 */
static struct ptl_shm_entry *claim(struct ptl_heritage *heritage,
				   const struct ptl_shm_parent *parent,
				   bool elsewhere, bool other_user)
{
	struct ptl_registry reg = ptl_attached.registry;
	struct ptl_shm_entry *start = &heritage->entry, *entry;
	uint32_t number;

	ptl_heir_begin(start, parent);
	if (elsewhere || other_user)
		begin_anew(start, other_user);
	if (heritage->expected)
		atomic_fetch_and_explicit(&start->flags, ~PTL_ENTRY_LOADED,
					  memory_order_relaxed);
	entry = ptl_claim_entry(start, ptl_attached.ident.born);
	number = ptl_claim_nothing(&reg, heritage);
	atomic_store_explicit(&entry->forked, number, memory_order_relaxed);
	atomic_fetch_or_explicit(&entry->flags, PTL_ENTRY_LOADED,
				 memory_order_relaxed);
	return entry;
}

void ptl_heir_born(struct ptl_heritage *heritage,
		   const struct ptl_shm_parent *parent)
{
	struct ptl_shm_entry *entry = NULL;
	bool elsewhere, other_user;
	int dir;

	ptl_ident_child(&ptl_attached.ident);
	elsewhere = ptl_ident_pidns != ptl_attached.ident.pidns;
	if (elsewhere)
		come_elsewhere();
	other_user = ptl_attached.ident.uid != ptl_attached.registry.uid;
	if (!elsewhere && !other_user)
		entry = ptl_claim_expected(heritage);
	if (!entry)
		entry = claim(heritage, parent, elsewhere, other_user);
	ptl_aside_again();
	/* Of one that has left, its byte is that of all that came from it. */
	if (!other_user)
		ptl_life_let_go();
	if (!ptl_allproc_any(&ptl_attached.registry))
		return;
	/* A stream that traces all processes since the fork missed us. */
	dir = ptl_rundir_reopen(ptl_attached.registry.uid);
	ptl_allproc_join(&ptl_attached.registry, dir, entry, true);
	if (dir >= 0)
		ptl_sys_close(dir);
}

void ptl_heir_joined(bool expected)
{
	struct ptl_shm_entry *entry = ptl_attached_entry();

	ptl_join_unmap_foreign(entry);
	ptl_guest_joined();
	if (expected)
		atomic_fetch_and_explicit(&entry->flags, ~PTL_ENTRY_EXPECTED,
					  memory_order_relaxed);
	ptl_join_joined(ptl_attached_active(), ptl_attached.ident.pid,
			expected);
}
