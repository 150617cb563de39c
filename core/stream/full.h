/* SPDX-License-Identifier: MIT */
/*
 * A stream that stopped by itself because it was full, and restarts now that
 * there is room.  Its reader gets STOP, OVERFLOW and RESUME if events were
 * lost, and START, whether the stream is read directly or flushed into a log.
 */
#ifndef PTL_CORE_STREAM_FULL_H
#define PTL_CORE_STREAM_FULL_H

#include "core/stream/stream.h"

struct ptl_full {
	uint64_t word;	/* the word in the head; for ptl_full_put_back() */
	bool told;	/* STOP is already recorded */
	uint64_t stop;	/* the time of STOP */
	uint64_t start; /* the earliest time of START */
};

/* Takes the word that the stream was full from its head. */
void ptl_full_take(struct ptl_stream *stream, struct ptl_full *full);

/* That it is full could not be recorded: restores the word, for the next time.
 */
void ptl_full_put_back(struct ptl_stream *stream, const struct ptl_full *full);

#endif
