/* SPDX-License-Identifier: MIT */
/* posix_trace_set_io_data_np: how much of what calls move to record. */
#include "core/stream/stream.h"

#include <errno.h>
#include <trace.h>

PTL_EXPORT int posix_trace_set_io_data_np(trace_id_t trid, size_t size)
{
	struct ptl_stream *stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);

	if (!stream)
		return EINVAL;
	atomic_store_explicit(&stream->map->head->io_data,
			      (uint32_t)PTL_MIN(size, UINT32_MAX),
			      memory_order_relaxed);
	ptl_stream_put(stream);
	return 0;
}
