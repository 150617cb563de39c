/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: the one function every traced program calls.  The macro of
 * <trace.h> calls it only if some stream names the process.
 */
#include "core/emit.h"
#include "core/self.h"

#include <trace.h>

#undef posix_trace_event

/* Before init nothing traces us: see no_block in self.c. */
static const unsigned long long none;

/*
 * For the macro; set when the block is.  A program may have a copy of this
 * variable (a copy relocation), which then is the one: an exported symbol is
 * reached through the global offset table, in the library too.
 */
PTL_EXPORT const unsigned long long *posix_trace_active_np = &none;

/* In streams of another family's names it has none; the others are left. */
static PTL_COLD uint64_t emit_stranger(uint64_t active, const void *data,
				       size_t size, const void *addr)
{
	uint64_t there = active & ptl_self_strangers();

	if (there)
		ptl_emit(there, POSIX_TRACE_UNNAMED_USEREVENT, data, size,
			 addr);
	return active & ~there;
}

PTL_EXPORT void posix_trace_event(trace_event_id_t event_id,
				  const void *restrict data_ptr,
				  size_t data_len)
{
	uint64_t active = ptl_self_active();

	if (PTL_LIKELY(!active))
		return;
	/* System types are ours to record; other numbers are no types. */
	if (PTL_UNLIKELY(event_id - PTL_ID_FIRST_USER >=
				 PTL_ID_LIMIT - PTL_ID_FIRST_USER &&
			 event_id != POSIX_TRACE_UNNAMED_USEREVENT))
		return;
	if (PTL_UNLIKELY(!data_ptr))
		data_len = 0;
	if (PTL_UNLIKELY(ptl_self_strangers()))
		active = emit_stranger(active, data_ptr, data_len,
				       __builtin_return_address(0));
	if (PTL_LIKELY(active))
		ptl_emit(active, event_id, data_ptr, data_len,
			 __builtin_return_address(0));
}
