/* SPDX-License-Identifier: MIT */
/* The end of a stream: by its controller, or by whoever finds it without. */
#ifndef PTL_CORE_RECOVER_H
#define PTL_CORE_RECOVER_H

#include "core/stream/stream.h"

/*
 * Ends a stream its caller created and took out of the table: as
 * posix_trace_shutdown().  Info may be NULL.  The stream is freed whatever is
 * returned: 0, or why its log is not complete (then its segment stays, for a
 * later attempt).
 */
int ptl_stream_end(struct ptl_stream *stream, struct posix_trace_info_np *info);

/* Stops recording at once, for every process; STOP is the last event. */
void ptl_stream_stop(struct ptl_stream *stream);

/*
 * Ends stream `id' if its controller is dead: completes its log, opened as fd
 * (or found by the path in the segment, if fd is -1), removes the segment.
 * Returns 0, EBUSY (the controller lives), EAGAIN (somebody else is at it),
 * ENOENT, or why the log cannot be completed.
 */
int ptl_recover(int dir, uint32_t uid, uint64_t id, int fd);

/*
 * What another user's segment has beyond its log, for reading only: nothing of
 * his is touched.  Completes fd, which is a copy of the log.  Returns as above.
 */
int ptl_recover_copy(int dir, uint32_t uid, uint64_t id, int fd);

/* Is there such a stream, and a controller of it?  Nothing is touched. */
bool ptl_stream_lives(int dir, uint32_t uid, uint64_t id);

#endif
