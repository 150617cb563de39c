/* SPDX-License-Identifier: MIT */
/*
 * From the stream to its log: the controller's work.  Called with the stream's
 * flush lock held, or by a thread that has it alone.
 */
#ifndef PTL_CORE_FLUSH_FLUSH_H
#define PTL_CORE_FLUSH_FLUSH_H

#include "core/format/logfile.h"
#include "core/stream/stream.h"

/* Room for packets, and one cursor for each chunk.  0 or ENOMEM. */
int ptl_flush_init(struct ptl_stream *stream);

/* Begins a log in a file, which is emptied.  0, or why it cannot be. */
int ptl_flush_begin(struct ptl_stream *stream, int fd);

/*
 * posix_trace_flush(): copies what is committed into the log, between
 * FLUSH_START and FLUSH_STOP, and frees the chunks; a full stream that got
 * room runs again.  Returns 0 or what the log said; then nothing is lost that
 * was not lost before.
 */
int ptl_flush_now(struct ptl_stream *stream);

/*
 * A flush by the flusher: FLUSH_START is recorded only if there is something
 * to copy, FLUSH_STOP by ptl_flush_settle(), when it has caught up.
 */
int ptl_flush_auto(struct ptl_stream *stream);
int ptl_flush_settle(struct ptl_stream *stream);

/* No thread records any more: takes everything there is. */
int ptl_flush_last(struct ptl_stream *stream);

/* A flush of all but what is later than that counter. */
int ptl_flush_until(struct ptl_stream *stream, uint64_t until);

/*
 * Writes what makes the log complete: event types, clock, status, totals.
 * The stream is shut down.
 */
int ptl_flush_end(struct ptl_stream *stream, const struct ptl_log_end *end);

#endif
