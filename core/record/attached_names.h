/* SPDX-License-Identifier: MIT */
/*
 * The names of event types of this process, which are those of its family: as
 * it has them mapped, and where they have gone since.
 */
#ifndef PTL_CORE_RECORD_ATTACHED_NAMES_H
#define PTL_CORE_RECORD_ATTACHED_NAMES_H

#include "core/shm/map.h"
#include "core/shm/names.h"

/*
 * The name table of our family, made if there is none yet.  NULL: no memory, or
 * no permission.  Closed (ptl_attached.names_closed): a copy of our former
 * user's family's, whose streams know no others.
 */
struct ptl_shm_names *ptl_attached_names(void);

/* The one that we had before, which is still mapped, or NULL. */
struct ptl_shm_names *ptl_attached_names_former(void);

/* The id of that which is mapped, or 0. */
uint64_t ptl_attached_names_id(void);

/* Are the ids of that stream's names ours?  A controller that could not reach
 * our table has made another for us: then our names go there now. */
bool ptl_attached_names_agree(const struct ptl_map *map);

#endif
