/* SPDX-License-Identifier: MIT */
/*
 * A stream that stopped by itself because it was full, and goes on now that
 * there is room: for its reader STOP, OVERFLOW if events were lost, RESUME and
 * START, whether that is who reads the stream or who flushes it into a log.
 */
#ifndef PTL_CORE_STREAM_FULL_H
#define PTL_CORE_STREAM_FULL_H

#include "core/stream/stream.h"

struct ptl_full {
	uint64_t word;	/* what stood in the head; for ptl_full_put_back() */
	bool told;	/* STOP was recorded already */
	uint64_t stop;	/* when that was, */
	uint64_t start; /* and when it goes on, not before */
};

/* Takes it from the head that the stream is full. */
void ptl_full_take(struct ptl_stream *stream, struct ptl_full *full);

/* It could not be told: as it was, for the next time. */
void ptl_full_put_back(struct ptl_stream *stream, const struct ptl_full *full);

#endif
