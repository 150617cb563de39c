/* SPDX-License-Identifier: MIT */
/* Taking back what a stream recorded. */
#ifndef PTL_CORE_FLUSH_CLEAR_H
#define PTL_CORE_FLUSH_CLEAR_H

#include "core/stream/stream.h"

/*
 * posix_trace_clear(): the stream as it was when it was made, but for the names
 * of types; if it runs, it runs.  What was recorded before is in the chunks no
 * more, and the log is at its beginning.  With the stream's locks held.
 */
int ptl_clear_stream(struct ptl_stream *stream);

#endif
