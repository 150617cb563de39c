/* SPDX-License-Identifier: MIT */
/* Taking back what a stream recorded. */
#ifndef PTL_CORE_FLUSH_CLEAR_H
#define PTL_CORE_FLUSH_CLEAR_H

#include "core/stream/stream.h"

/*
 * posix_trace_clear(): takes what was recorded before head->cleared out of
 * the chunks, and the log back to its beginning.  With the stream's flush lock
 * held.
 */
int ptl_clear_stream(struct ptl_stream *stream);

#endif
