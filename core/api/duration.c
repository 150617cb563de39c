/* SPDX-License-Identifier: MIT */
/* posix_trace_get_duration_np: what getnext.c kept of the last event. */
#include "core/stream/stream.h"

#include <errno.h>
#include <trace.h>

PTL_EXPORT int posix_trace_get_duration_np(trace_id_t trid, long long *duration)
{
	struct ptl_stream *stream = NULL;

	if (duration)
		stream = ptl_stream_get(trid, PTL_STREAM_LIVE | PTL_STREAM_LOG);
	if (!stream)
		return EINVAL;
	ptl_lock_only(&stream->lock);
	*duration = stream->lasted - 1;
	ptl_unlock_only(&stream->lock);
	ptl_stream_put(stream);
	return 0;
}
