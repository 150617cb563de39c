/* SPDX-License-Identifier: MIT */
/*
 * A creator names its stream in the common block first and then in the block
 * of each process; a process that comes makes its own block first and then
 * looks at the common one.  So one of the two sees the other; if both do, the
 * second reference is taken back.
 */
#include "core/shm/allproc.h"

#include "core/shm/registry.h"
#include "core/shm/segment.h"
#include "core/sys/syscall.h"

#include <trace.h>

static int attach(int dir, uint32_t uid, struct ptl_shm_block **block)
{
	return ptl_registry_attach(dir, uid, PTL_SHM_EVERYONE, block);
}

int ptl_allproc_open(int dir, uint32_t uid, bool make,
		     struct ptl_shm_block **block)
{
	char tmp[PTL_SHM_NAME];
	void *base;
	int err = attach(dir, uid, block);

	if (err != ENOENT || !make)
		return err;
	err = ptl_segment_create(dir, PTL_SHM_BLOCK_SIZE, uid, tmp, &base);
	if (err)
		return err;
	ptl_segment_prefix(base, PTL_SHM_MAGIC_BLOCK,
			   sizeof(struct ptl_shm_block), PTL_SHM_BLOCK_SIZE, 0);
	err = ptl_segment_publish(dir, tmp, PTL_SHM_EVERYONE);
	*block = base;
	if (err)
		ptl_sys_munmap(base, PTL_SHM_BLOCK_SIZE);
	return err == EEXIST ? attach(dir, uid, block) : err;
}

/* One reference is enough, and the first is the one. */
static void drop_second(struct ptl_shm_block *block, uint64_t stream)
{
	int first = ptl_registry_index(block, stream);

	for (int i = first + 1; first >= 0 && i < PTL_MAX_STREAMS; i++)
		ptl_registry_drop(block, (unsigned int)i, stream);
}

/* A stream that everyone is in, for one of them. */
static void add(struct ptl_shm_block *block, uint64_t ref, uint64_t names,
		bool calls)
{
	uint64_t own = 0;
	int i;

	if (ptl_registry_index(block, ptl_ref_stream(ref)) >= 0)
		return;
	/* Names are complete before their id is anywhere. */
	if (atomic_compare_exchange_strong_explicit(&block->names, &own, names,
						    memory_order_relaxed,
						    memory_order_relaxed))
		own = names;
	i = ptl_registry_add(block, ref, own != names, calls);
	if (i >= 0)
		drop_second(block, ptl_ref_stream(ref));
}

struct call {
	struct ptl_map *map;
	uint32_t uid;
	uint64_t ref;
};

static int add_to(int dir, const char *name, void *arg)
{
	const struct call *call = arg;
	struct ptl_shm_block *block;

	if (ptl_registry_attach(dir, call->uid, name, &block) != 0)
		return 0;
	add(block, call->ref, call->map->head->names,
	    call->map->head->attr.calls);
	if (ptl_registry_says(block, PTL_BLOCK_LOADED))
		atomic_fetch_add_explicit(&call->map->head->processes, 1,
					  memory_order_relaxed);
	ptl_registry_unmap(block);
	return 0;
}

/* In the common block, and it is the one that others find. */
static int name_in_common(int dir, uint32_t uid, uint64_t ref, bool calls)
{
	struct ptl_shm_block *block;
	bool done = false, full = false;

	/* The last stream but this may go, and the block with it. */
	for (unsigned int try = 0; try < 100 && !done && !full; try++) {
		if (ptl_allproc_open(dir, uid, true, &block) != 0)
			return EAGAIN;
		full = ptl_registry_add(block, ref, false, calls) < 0;
		ptl_registry_unmap(block);
		if (full || attach(dir, uid, &block) != 0)
			continue;
		done = ptl_registry_index(block, ptl_ref_stream(ref)) >= 0;
		ptl_registry_unmap(block);
	}
	return done ? 0 : EAGAIN;
}

int ptl_allproc_name(int dir, uint32_t uid, struct ptl_map *map)
{
	struct call call = {
		map,
		uid,
		ptl_ref(map->id,
			map->head->attr.inherited == POSIX_TRACE_INHERITED),
	};
	int err = name_in_common(dir, uid, call.ref, map->head->attr.calls);

	return err ? err : -ptl_rundir_each(dir, "p.", add_to, &call);
}

void ptl_allproc_join(int dir, uint32_t uid, struct ptl_shm_block *block,
		      bool child)
{
	struct ptl_shm_block *common;

	if (ptl_allproc_open(dir, uid, false, &common) != 0)
		return;
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++) {
		/* Pairs with ptl_registry_add(). */
		uint64_t ref = atomic_load_explicit(&common->refs[i],
						    memory_order_acquire);
		struct ptl_map *map;

		if (!ref || (child && !ptl_ref_inherited(ref)) ||
		    ptl_registry_index(block, ptl_ref_stream(ref)) >= 0 ||
		    ptl_map_attach(dir, uid, ptl_ref_stream(ref), &map) != 0)
			continue;
		if (!(ptl_map_state(map) & PTL_STATE_DEAD))
			add(block, ref, map->head->names,
			    map->head->attr.calls);
		ptl_map_detach(map);
	}
	ptl_registry_unmap(common);
}

void ptl_allproc_unname(int dir, uint32_t uid, uint64_t stream)
{
	struct ptl_shm_block *block;
	int i;

	if (ptl_allproc_open(dir, uid, false, &block) != 0)
		return;
	i = ptl_registry_index(block, stream);
	if (i >= 0)
		ptl_registry_drop(block, (unsigned int)i, stream);
	if (atomic_load_explicit(&block->active, memory_order_relaxed) == 0)
		ptl_sys_unlink(dir, PTL_SHM_EVERYONE);
	ptl_registry_unmap(block);
}
