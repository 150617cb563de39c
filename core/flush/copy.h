/* SPDX-License-Identifier: MIT */
/*
 * A pass over the chunks of a stream: copies the records of each span into
 * packets; batch.c has the rest of their way.  Called with the stream's flush
 * lock held, or by a thread that has the stream alone.
 */
#ifndef PTL_CORE_FLUSH_COPY_H
#define PTL_CORE_FLUSH_COPY_H

#include "core/flush/batch.h"

struct ptl_copy {
	struct ptl_batch batch;
	enum ptl_patience patience;
	uint64_t begun; /* counter */
	uint64_t from;	/* earlier events are discarded */
	uint64_t until; /* later events wait for the next pass */
	bool marked;	/* FLUSH_START goes before the first event */
	bool discard;	/* the log is full */
};

/* A pass of now; `last': no thread records any more. */
struct ptl_copy ptl_copy_of(struct ptl_stream *stream, bool last);

/* FLUSH_START, with the time when the flush began.  In the log at once: then
 * FLUSH_STOP is due, whatever becomes of the rest. */
int ptl_copy_begin(struct ptl_copy *pass);

/* Copies what there is, within the bounds of the pass.  0, or what the log
 * said. */
int ptl_copy_events(struct ptl_copy *pass);

#endif
