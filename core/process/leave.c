/* SPDX-License-Identifier: MIT */
/* See leave.h. */
#include "core/process/leave.h"

#include "core/process/claim.h"
#include "core/process/guest.h"
#include "core/record/attached.h"
#include "core/record/attached_names.h"
#include "core/record/slots.h"
#include "core/shm/family.h"
#include "core/shm/life.h"
#include "core/process/private.h"
#include "core/shm/registry.h"
#include "core/shm/rundir.h"
#include "core/sys/syscall.h"

#include <string.h>

/* Is there an entry that others can find? */
static bool is_listed(void)
{
	return ptl_attached_entry() != &ptl_no_entry &&
	       !ptl_attached_is_unlisted();
}

void ptl_leave_begin(void)
{
	struct ptl_shm_entry *entry = ptl_attached_entry();

	if (!is_listed() || !ptl_attached_active())
		return;
	ptl_attached_unmapped();
	if (atomic_load_explicit(&entry->names, memory_order_relaxed))
		ptl_attached_names();
	ptl_attached_own_life();
}

/* What nobody has to tell is given back at once. */
static void leave_entry(struct ptl_shm_entry *entry)
{
	const struct ptl_registry *reg = &ptl_attached.registry;

	if (ptl_attached_active())
		atomic_fetch_or_explicit(&entry->flags, PTL_ENTRY_LEFT,
					 memory_order_relaxed);
	else
		ptl_registry_free(
			reg, entry,
			atomic_load_explicit(ptl_registry_key(reg, entry),
					     memory_order_relaxed));
}

static struct ptl_shm_names *names_now(void)
{
	/* Pairs with install() in attached_names.c. */
	return atomic_load_explicit(&ptl_attached.names, memory_order_acquire);
}

/* As long as there are streams of the former family. */
static void close_names(void)
{
	atomic_store_explicit(&ptl_attached.names_closed,
			      ptl_attached_active() != 0, memory_order_relaxed);
}

/* For another thread that has the entry at hand it stays where it is. */
static void leave(void)
{
	struct ptl_shm_registry *shm = ptl_attached.registry.shm;
	struct ptl_shm_entry *entry = is_listed() ? ptl_attached_entry() : NULL;
	struct ptl_shm_names *names = names_now(),
			     *former = ptl_attached_names_former();

	/* First: who counts looks at the entry, and then at the members. */
	ptl_attached.ident.uid = ptl_sys_geteuid();
	ptl_guest_joined();
	if (entry) {
		ptl_attached_go_private(NULL);
		leave_entry(entry);
	}
	if (shm)
		ptl_private_registry(shm, entry);
	if (names && ptl_private_names(names))
		ptl_names_reopen(names);
	if (former)
		ptl_private_names(former);
	close_names();
}

void ptl_leave_end(void)
{
	uint32_t was = ptl_attached.ident.uid, real, effective, saved;

	if (ptl_sys(SYS_getresuid, &real, &effective, &saved, 0) == 0 &&
	    real != was && effective != was && saved != was)
		leave();
}

/* Of a family in another user's directory. */
static bool has_foreign_names(void)
{
	const struct ptl_shm_names *names = names_now();

	return names && names->maker.uid != ptl_attached.ident.uid;
}

/* What the program knows by name has the same numbers in its new table.  A
 * table that is not another's may have been collected: no process that others
 * could find has named it. */
static int take_names(int dir, struct ptl_shm_entry *entry)
{
	struct ptl_shm_names *names = names_now();
	uint64_t id = 0;
	int err;

	if (names) {
		err = ptl_family_again(dir, &ptl_attached.ident, names, &id,
				       &names);
		if (err)
			return err;
		/* Pairs with install() in attached_names.c. */
		atomic_store_explicit(&ptl_attached.names, names,
				      memory_order_release);
	}
	atomic_store_explicit(&entry->names, id, memory_order_relaxed);
	close_names();
	return 0;
}

static bool is_in_own_registry(void)
{
	const struct ptl_registry *reg = &ptl_attached.registry;

	return !reg->shm || reg->uid == ptl_attached.ident.uid;
}

static int enter(int dir)
{
	struct ptl_shm_entry start;
	struct ptl_registry reg;
	int err = ptl_registry_open(dir, ptl_attached.ident.uid, true, &reg);

	if (err)
		return err;
	memcpy(&start, ptl_attached_entry(), sizeof(start));
	err = take_names(dir, &start);
	if (err) {
		ptl_registry_close(&reg);
		return err;
	}
	atomic_store_explicit(&start.flags, PTL_ENTRY_LOADED,
			      memory_order_relaxed);
	/* The byte that we had stays locked. */
	ptl_attached.life = ptl_life_take(&reg, dir);
	ptl_attached.registry = reg;
	ptl_claim_entry(&start, 0);
	return 0;
}

int ptl_leave_enter(void)
{
	int dir, err;

	if (ptl_attached.ident.uid != (uint32_t)ptl_sys_geteuid())
		leave();
	if (is_in_own_registry() && !has_foreign_names())
		return 0;
	dir = ptl_rundir_make(ptl_attached.ident.uid);
	if (dir < 0)
		return -dir;
	err = is_in_own_registry() ? take_names(dir, ptl_attached_entry()) :
				     enter(dir);
	ptl_sys_close(dir);
	return err;
}
