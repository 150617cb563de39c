/* SPDX-License-Identifier: MIT */
/* The fast path for what programs call as a function: no vector register holds
 * anything of theirs then, and long data are copied by these. */
#include "core/record/fastpath_impl.h"

void ptl_fastpath_vector(uint32_t id, const void *data, size_t size,
			 const void *addr, struct ptl_slot_stream *own,
			 struct ptl_shm_head *head)
{
	record(id, data, size, addr, own, head, ALONE, NULL);
}
