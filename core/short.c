/* SPDX-License-Identifier: MIT */
/* See short.h. */
#include "core/shortly.h"

void ptl_short_record(uint32_t id, const void *data, size_t size,
		      const void *addr, struct ptl_slot_stream *own,
		      struct ptl_shm_head *head)
{
	record(id, data, size, addr, own, head, false);
}
