/* SPDX-License-Identifier: MIT */
/* Reading events from an active stream: oldest first, gone once read. */
#ifndef PTL_CORE_STREAM_READER_H
#define PTL_CORE_STREAM_READER_H

#include "core/stream/stream.h"

/*
 * Takes the next event, if there is one, with the stream's lock held: fills
 * in *event, whose data are copied to `data', at most `size' bytes of them;
 * event->data_size is the whole size.
 */
bool ptl_reader_try(struct ptl_stream *stream, struct ptl_event *event,
		    void *data, size_t size);

/*
 * The stream was cleared: what was taken from it and not yet delivered is
 * dropped, and no event begun before this moment is delivered any more.  With
 * the stream's lock held.
 */
void ptl_reader_clear(struct ptl_stream *stream);

#endif
