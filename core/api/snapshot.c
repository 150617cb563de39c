/* SPDX-License-Identifier: MIT */
/* posix_trace_snapshot_np: a log of what a stream holds. */
#include "core/control/snapshot.h"

#include <errno.h>
#include <trace.h>

PTL_EXPORT int posix_trace_snapshot_np(trace_id_t trid, int file_desc)
{
	struct ptl_stream *stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);
	int err;

	if (!stream)
		return EINVAL;
	err = ptl_snapshot(stream, file_desc);
	ptl_stream_put(stream);
	return err;
}
