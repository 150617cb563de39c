/* SPDX-License-Identifier: MIT */
/* See fastpath.h. */
#include "core/record/fastpath_impl.h"

void ptl_fastpath_record(uint32_t id, const void *data, size_t size,
			 const void *addr, struct ptl_slot_stream *own,
			 struct ptl_shm_head *head)
{
	record(id, data, size, addr, own, head, ALONE, NULL);
}

bool ptl_fastpath_try(uint32_t id, const void *data, size_t size,
		      const void *addr, struct ptl_slot_stream *own)
{
	struct ptl_map *map = own->map;
	struct ptl_shm_head *head;

	if (PTL_UNLIKELY(!map || !own->bit))
		return false;
	head = map->head;
	if (ptl_fastpath_skips(own, head, id))
		return true;
	return id < PTL_ID_SHORT && record(id, data, size, addr, own, head,
					   SEVERAL, &ptl_thread.slot->when);
}
