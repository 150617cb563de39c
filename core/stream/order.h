/* SPDX-License-Identifier: MIT */
/* Which event of a live stream is the next: its chunks merged by time. */
#ifndef PTL_CORE_STREAM_ORDER_H
#define PTL_CORE_STREAM_ORDER_H

#include "core/format/record.h"
#include "core/stream/stream.h"

/* Where it stands; its bytes may be taken over at any moment (cursor.h). */
struct ptl_found {
	uint32_t chunk;
	uint64_t pos;
	struct ptl_record rec;
	uint64_t counter;
};

/* What to think of it if there is none. */
struct ptl_merge_end {
	uint32_t state; /* of the stream before we looked */
	uint64_t begin; /* what was stored until then we saw; by its clock */
};

/*
 * Finds the next event, with the stream's lock held.  Waits, some milliseconds
 * at most, for an older one that is being written.
 */
bool ptl_order_next(struct ptl_stream *stream, struct ptl_found *found,
		    struct ptl_merge_end *end);

#endif
