/* SPDX-License-Identifier: MIT */
/* A log of what a stream holds at one moment. */
#ifndef PTL_CORE_CONTROL_SNAPSHOT_H
#define PTL_CORE_CONTROL_SNAPSHOT_H

#include "core/stream/stream.h"

/*
 * As posix_trace_snapshot_np(), of an active stream.  Its consumer waits while
 * the stream is copied, not while the log is written.
 */
int ptl_snapshot(struct ptl_stream *stream, int fd);

#endif
