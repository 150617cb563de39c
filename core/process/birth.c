/* SPDX-License-Identifier: MIT */
#include "core/process/birth.h"

#include "core/buffer/counter.h"
#include "core/format/sysevents.h"
#include "core/record/emit.h"

bool ptl_birth_is_elsewhere(const struct ptl_shm_parent *parent,
			    const struct ptl_shm_ident *child)
{
	return parent->pidns && child->pidns &&
	       parent->pidns != (uint32_t)child->pidns;
}

/* By a clock that is not the stream's, or before all that the stream has, it
 * is none: it comes from memory that others can write to. */
static uint64_t time_in(const struct ptl_map *map, uint64_t when)
{
	uint64_t cleared =
		atomic_load_explicit(&map->head->cleared, memory_order_relaxed);
	uint64_t first = PTL_MAX(map->log->anchor[0].counter, cleared);

	return when > first && when < ptl_counter_now(map->clock) ? when : 0;
}

void ptl_birth_tell(struct ptl_map *map, const struct ptl_shm_parent *parent,
		    const struct ptl_shm_ident *child, uint64_t when,
		    uint32_t number)
{
	uint32_t pidns = (uint32_t)child->pidns;
	struct ptl_emit_as as = {
		.pid = parent->pid,
		.tid = parent->tid,
		.image = parent->image,
		.thread = parent->thread,
		.pidns = parent->pidns ? parent->pidns : pidns,
		.when = time_in(map, when),
	};
	const void *addr = (const void *)(uintptr_t)parent->addr;
	int64_t data[] = {ptl_map_pidns(map, pidns), child->pid, number};
	size_t size = sizeof(data) - (number ? 0 : sizeof(data[2]));

	if (ptl_birth_is_elsewhere(parent, child))
		ptl_emit_as(map, &as, PTL_EV_PROCESS_FORK_ELSEWHERE, data, size,
			    size, addr);
	else
		ptl_emit_as(map, &as, PTL_EV_PROCESS_FORK, &data[1],
			    sizeof(data[1]), sizeof(data[1]), addr);
}
