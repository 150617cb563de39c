/* SPDX-License-Identifier: MIT */
/*
 * From the stream to its log: the controller's work.  Called with the stream's
 * lock held, or by the one who has it alone.
 */
#ifndef PTL_CORE_FLUSH_H
#define PTL_CORE_FLUSH_H

#include "core/stream.h"

/* Room for packets, and one cursor for each chunk.  0 or ENOMEM. */
int ptl_flush_init(struct ptl_stream *stream);

/*
 * Copies what is committed into the log and frees the chunks.  `last': no
 * one writes any more, so everything is taken and holes are dead.  A full
 * stream that got room runs again.  Returns 0 or what the log said; then
 * nothing is lost that was not lost before.
 */
int ptl_flush_pass(struct ptl_stream *stream, bool last);

/* posix_trace_flush(): a pass between FLUSH_START and FLUSH_STOP. */
int ptl_flush_now(struct ptl_stream *stream);

/*
 * Writes what makes the log complete: event types, clock, status, totals.
 * The stream is shut down.
 */
int ptl_flush_end(struct ptl_stream *stream, const struct ptl_log_end *end);

#endif
