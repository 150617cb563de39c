/* SPDX-License-Identifier: MIT */
/* The end of a stream: as its controller wants it, and the steps of it. */
#ifndef PTL_CORE_CONTROL_SHUTDOWN_H
#define PTL_CORE_CONTROL_SHUTDOWN_H

#include "core/format/logfile.h"
#include "core/stream/stream.h"

/*
 * Ends a stream its caller created and took out of the table: as
 * posix_trace_shutdown().  Info may be NULL.  The stream is freed whatever is
 * returned: 0, or why its log is not complete (then its segment stays, for a
 * later attempt).
 */
int ptl_shutdown(struct ptl_stream *stream, struct posix_trace_info_np *info);

/* No process records into it any more, nor looks for it. */
void ptl_shutdown_dead(struct ptl_map *map);

/*
 * Nothing is recorded any more: the log gets all there is.  The totals have
 * what it did not get.  Returns 0, or why it is not complete.
 */
int ptl_shutdown_complete_log(struct ptl_stream *stream,
			      struct ptl_log_end *end);

/* Removes the segment, and gives back what others still have mapped of it. */
void ptl_shutdown_remove(int dir, struct ptl_map *map);

#endif
