/* SPDX-License-Identifier: MIT */
#include "core/process/birth.h"

#include "core/format/sysevents.h"
#include "core/record/emit.h"

bool ptl_birth_is_elsewhere(const struct ptl_shm_parent *parent,
			    const struct ptl_shm_ident *child)
{
	return parent->pidns && child->pidns &&
	       parent->pidns != (uint32_t)child->pidns;
}

void ptl_birth_tell(struct ptl_map *map, const struct ptl_shm_parent *parent,
		    const struct ptl_shm_ident *child, uint32_t number)
{
	uint32_t pidns = (uint32_t)child->pidns;
	struct ptl_emit_as as = {
		.pid = parent->pid,
		.tid = parent->tid,
		.image = parent->image,
		.thread = parent->thread,
		.pidns = parent->pidns ? parent->pidns : pidns,
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
