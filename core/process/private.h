/* SPDX-License-Identifier: MIT */
/*
 * Shared memory of a user that a process is not any more: it keeps what it has
 * to read of it, as a copy at the same address, and writes to nobody's.
 */
#ifndef PTL_CORE_PROCESS_PRIVATE_H
#define PTL_CORE_PROCESS_PRIVATE_H

#include "core/format/names.h"
#include "core/format/registry.h"

/*
 * Of the registry only that entry, or nothing if it is NULL, is left: it has
 * no others, and no room for any.  False: there is no memory, and it is shared
 * as before.
 */
bool ptl_private_registry(struct ptl_shm_registry *shm,
			  const struct ptl_shm_entry *entry);

/* Of the names those that are there. */
bool ptl_private_names(struct ptl_shm_names *names);

#endif
