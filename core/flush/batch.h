/* SPDX-License-Identifier: MIT */
/*
 * Packets of events on their way into a log.  Called with the stream's flush
 * lock held, or by a thread that has the stream alone.
 */
#ifndef PTL_CORE_FLUSH_BATCH_H
#define PTL_CORE_FLUSH_BATCH_H

#include "core/format/logfile.h"
#include "core/stream/stream.h"

struct ptl_batch {
	struct ptl_stream *stream;
	struct ptl_log_packet *packet; /* the open one, or NULL */
	uint64_t latest;	       /* when the latest of its events began */
	size_t used;
	uint64_t events;
	uint32_t first, count; /* chunks copied from: places in order[] */
	uint64_t gap;	       /* when a loss not recorded yet began, or 0 */
	uint64_t after;	       /* the first event put that is not older */
	uint64_t after_before; /* the same of what was put in batches before */
	bool too_large;	       /* the log may take it in smaller ones */
};

/* The buffer for packets.  0 or ENOMEM. */
int ptl_batch_init(struct ptl_stream *stream);

/* For so many bytes of records there is room in the buffer and the slot; for
 * more after ptl_batch_room(). */
uint64_t ptl_batch_space(const struct ptl_batch *batch);

/* Puts a run of records of a chunk, for which there is room; `gap' is not
 * within it. */
void ptl_batch_put(struct ptl_batch *batch, const struct ptl_shm_span *span,
		   const void *records, const struct ptl_chunk_run *run,
		   uint32_t chunk, uint64_t life);

/*
 * Writes what was put so far and makes room for a record of `bytes'.  0, why
 * it could not be written, or EMSGSIZE: the log will never have the room.
 */
int ptl_batch_room(struct ptl_batch *batch, size_t bytes);

/* An event of the controller's own, in a packet of rank PTL_RANK_*. */
int ptl_batch_own(struct ptl_batch *batch, uint32_t id, uint32_t rank,
		  uint64_t counter, const void *data, size_t size);

/* UNTIL_FULL: nothing goes in any more; STOP is the last. */
int ptl_batch_close(struct ptl_batch *batch);

/*
 * Writes what was put and consumes what it came from.  On failure the cursors
 * go back to what is consumed; too_large: to be tried again from there.
 */
int ptl_batch_write(struct ptl_batch *batch);

#endif
