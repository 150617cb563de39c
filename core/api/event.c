/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: the one function every traced program calls.  The macro of
 * <trace.h> calls it only if some stream names the process.
 */
#include "core/record/attached.h"
#include "core/record/emit.h"
#include "core/record/fastpath.h"

#include <trace.h>

#undef posix_trace_event

static PTL_COLD void event_long(uint32_t id, const void *data, size_t size,
				const void *addr, uint64_t active)
{
	/* System types are ours to record; other numbers are no types. */
	if (id - PTL_ID_FIRST_USER < PTL_ID_LIMIT - PTL_ID_FIRST_USER ||
	    id == POSIX_TRACE_UNNAMED_USEREVENT)
		ptl_emit_long(id, data, size, addr, active);
}

PTL_EXPORT void posix_trace_event(trace_event_id_t event_id,
				  const void *restrict data_ptr,
				  size_t data_len)
{
	uint64_t active = ptl_attached_bits();

	if (PTL_UNLIKELY(active))
		ptl_fastpath_emit(event_id, data_ptr, data_len,
				  __builtin_return_address(0), active,
				  PTL_ID_FIRST_USER, ptl_fastpath_vector,
				  event_long);
}
