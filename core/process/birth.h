/* SPDX-License-Identifier: MIT */
/* How it is told that there is a new process. */
#ifndef PTL_CORE_PROCESS_BIRTH_H
#define PTL_CORE_PROCESS_BIRTH_H

#include "core/format/registry.h"
#include "core/shm/map.h"

/* Of another pid namespace than its parent?  There it has another number.  Of a
 * namespace that is not known it is the same, mostly. */
bool ptl_birth_is_elsewhere(const struct ptl_shm_parent *parent,
			    const struct ptl_shm_ident *child);

/*
 * Records process:fork in one stream; also for a child that died before it
 * could.  When: the parent called fork, so that it is before all that the child
 * does; 0: now.  Number: what fork() returned of a child in another pid
 * namespace, or 0 if it is not known.
 */
void ptl_birth_tell(struct ptl_map *map, const struct ptl_shm_parent *parent,
		    const struct ptl_shm_ident *child, uint64_t when,
		    uint32_t number);

#endif
