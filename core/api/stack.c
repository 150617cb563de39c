/* SPDX-License-Identifier: MIT */
/* posix_trace_get_stack_np: what getnext.c kept of the last event. */
#include "core/stream/stream.h"

#include <errno.h>
#include <trace.h>

PTL_EXPORT int posix_trace_get_stack_np(trace_id_t trid, void **frames,
					size_t max, size_t *nr)
{
	struct ptl_stream *stream;

	if (!nr || (!frames && max > 0))
		return EINVAL;
	stream = ptl_stream_get(trid, PTL_STREAM_LIVE | PTL_STREAM_LOG);
	if (!stream)
		return EINVAL;
	ptl_lock_only(&stream->lock);
	for (size_t i = 0; i < PTL_MIN(max, stream->nr_stack); i++)
		frames[i] = (void *)(uintptr_t)stream->stack[i];
	*nr = stream->nr_stack;
	ptl_unlock_only(&stream->lock);
	ptl_stream_put(stream);
	return 0;
}
