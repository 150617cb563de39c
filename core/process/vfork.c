/* SPDX-License-Identifier: MIT */
/*
 * A child that runs in its parent's memory has no memory of its own to say who
 * it is: what it needs until it executes a program is made for it by us, who
 * are its parent as far as our memory can tell.
 */
#include "core/process/vfork.h"

#include "core/process/children.h"
#include "core/process/join.h"
#include "core/record/attached.h"
#include "core/shm/registry.h"
#include "core/shm/rundir.h"
#include "core/shm/segment.h"
#include "core/sys/ident.h"
#include "core/sys/syscall.h"

/* A child in our memory has no block, and may come all the same. */
static void unlisted(uint32_t child, const char *program)
{
	const struct ptl_shm_block *block = ptl_attached_block();

	for (uint64_t left = ptl_attached_active(); left; left &= left - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(left);
		struct ptl_map *map = ptl_attached_map(i);

		if (map && ptl_ref_inherited(atomic_load_explicit(
				   &block->refs[i], memory_order_relaxed)))
			ptl_children_executes(map, child, program);
	}
}

struct ptl_shm_block *ptl_vfork_begins(uint32_t child,
				       const struct ptl_shm_parent *parent,
				       const char *program)
{
	struct ptl_shm_ident ident = ptl_attached.ident;
	struct ptl_shm_block start, *block;
	bool mine;
	int dir = ptl_rundir_open(ident.uid, false), err = dir;

	ptl_join_inherit(&start, 0, parent);
	ident.pid = child;
	ident.born = ptl_boottime();
	ptl_registry_program(&start, program);
	if (dir >= 0) {
		err = ptl_registry_create(dir, &ident, &start, NULL, &block,
					  &mine);
		ptl_sys_close(dir);
	}
	if (err) {
		unlisted(child, program);
		return NULL;
	}
	/* What else is it for? */
	ptl_registry_exec(block, true);
	ptl_join_joined(
		atomic_load_explicit(&start.active, memory_order_relaxed),
		child);
	return block;
}

void ptl_vfork_program(uint32_t child, const char *program)
{
	struct ptl_shm_ident ident = ptl_attached.ident;
	struct ptl_shm_block *block;
	int dir = ptl_rundir_open(ident.uid, false), err = dir;
	char name[PTL_SHM_NAME];

	ptl_segment_name_block(name, ident.pidns, child);
	if (dir >= 0) {
		err = ptl_registry_attach(dir, ident.uid, name, &block);
		ptl_sys_close(dir);
	}
	if (err) {
		unlisted(child, program);
		return;
	}
	ptl_registry_program(block, program);
	ptl_registry_unmap(block);
}

void ptl_vfork_ends(uint32_t child)
{
	struct ptl_shm_ident ident = ptl_attached.ident;
	int dir = ptl_rundir_open(ident.uid, false);

	unlisted(child, NULL);
	if (dir < 0)
		return;
	ident.pid = child;
	ptl_registry_unlink(dir, &ident);
	ptl_sys_close(dir);
}
