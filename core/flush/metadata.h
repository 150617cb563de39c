/* SPDX-License-Identifier: MIT */
/* What a log needs besides the events to be understood: the names of their
 * types, and a clock. */
#ifndef PTL_CORE_FLUSH_METADATA_H
#define PTL_CORE_FLUSH_METADATA_H

#include "core/stream/stream.h"

/* Names that were opened since the last time. */
int ptl_metadata_types(struct ptl_stream *stream);

/* An anchor later than all events so far, if there are new ones; but for the
 * `last' time, now and then only. */
int ptl_metadata_clock(struct ptl_stream *stream, bool last);

/* What could not be traced, if there is any: at the end of the log. */
int ptl_metadata_untraced(struct ptl_stream *stream);

#endif
