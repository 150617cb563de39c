/* SPDX-License-Identifier: MIT */
/*
 * The log's full policy: where packets go, and what happens if there is no
 * room.  Called with the stream's flush lock held, or by a thread that has the
 * stream alone.
 */
#ifndef PTL_CORE_FLUSH_LOG_POLICY_H
#define PTL_CORE_FLUSH_LOG_POLICY_H

#include "core/format/logfile.h"
#include "core/stream/stream.h"

/* What one event takes, in a packet of its own or in one begun. */
#define PTL_POLICY_MARK (sizeof(struct ptl_log_packet) + PTL_RECORD_HEADER)

/* The log has its head and no events: makes out how much it may hold. */
void ptl_log_policy_plan(struct ptl_stream *stream, uint64_t head_size,
			 struct ptl_log_head *head);
int ptl_log_policy_begin(struct ptl_stream *stream);

/* Goes on with a log that has events already, so many bytes of them. */
int ptl_log_policy_resume(struct ptl_stream *stream,
			  const struct ptl_log_head *head, uint64_t bytes);

/* Is the oldest given up for the newest? */
bool ptl_log_policy_loops(const struct ptl_stream *stream);

/* Can the log take no more events at all?  From now on it cannot. */
bool ptl_log_policy_full(const struct ptl_stream *stream);
void ptl_log_policy_set_full(struct ptl_stream *stream);

/* How many bytes of packets an UNTIL_FULL log may still have; else all. */
uint64_t ptl_log_policy_left(const struct ptl_stream *stream);

/* How many a LOOP log can have in all; else all. */
uint64_t ptl_log_policy_capacity(const struct ptl_stream *stream);

/* How many can be appended now. */
uint64_t ptl_log_policy_room(const struct ptl_stream *stream);

/* Makes room for so many.  0, why it could not be written, or EMSGSIZE: the log
 * will never have it. */
int ptl_log_policy_make_room(struct ptl_stream *stream, size_t size);

/* Appends packets of events, which are in the stream's buffer, for which there
 * is room.  0, or why it could not be written. */
int ptl_log_policy_append(struct ptl_stream *stream, size_t size,
			  uint64_t events);

/* An event that the log has no room for. */
void ptl_log_policy_discard(struct ptl_stream *stream, uint64_t events);

/*
 * Packets of other kinds, behind the events so far.  In the buffer must be
 * room for a header behind them.
 */
int ptl_log_policy_other(struct ptl_stream *stream, void *packet, size_t size);

/* No more events: from now on everything goes to the end of the log. */
int ptl_log_policy_end(struct ptl_stream *stream);

#endif
