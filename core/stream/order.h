/* SPDX-License-Identifier: MIT */
/* Finds the next event of a live stream: merges its chunks by time. */
#ifndef PTL_CORE_STREAM_ORDER_H
#define PTL_CORE_STREAM_ORDER_H

#include "core/format/record.h"
#include "core/stream/stream.h"

/* Where the event is; its bytes may be overwritten at any moment (cursor.h). */
struct ptl_ordered {
	uint32_t chunk;
	uint64_t pos;
	struct ptl_record rec;
	uint64_t counter;
};

/* The state of the stream, for when no event is found. */
struct ptl_merge_end {
	uint32_t state; /* before the look */
	uint64_t begin; /* records stored before this time were seen */
};

/*
 * Finds the next event, with the stream's lock held.  Waits up to PATIENCE_NS
 * (order.c) for an older one that is being written.
 */
bool ptl_order_next(struct ptl_stream *stream, struct ptl_ordered *found,
		    struct ptl_merge_end *end);

#endif
