/* SPDX-License-Identifier: MIT */
/* Events of types that were opened by their names, recorded through the seam
 * (core.h), as posix_trace_event() does it. */
#include "core/core.h"

#include "core/record/attached.h"
#include "core/record/emit.h"
#include "core/record/fastpath.h"

void ptl_core_typed_event(uint32_t type, const void *data, size_t size,
			  const void *addr)
{
	uint64_t active = ptl_attached_active();

	if (active)
		ptl_fastpath_emit(type, data, size, addr, active,
				  PTL_ID_FIRST_USER, ptl_fastpath_record,
				  ptl_emit_long);
}
