/* SPDX-License-Identifier: MIT */
/* posix_trace_get_status(), under the stream's lock. */
#ifndef PTL_CORE_CONTROL_STATUS_H
#define PTL_CORE_CONTROL_STATUS_H

#include "core/stream/stream.h"

/* Of an active stream.  What was asked for is asked anew from then on. */
void ptl_status_live(struct ptl_stream *stream,
		     struct posix_trace_status_info *info);

/* Of an opened log. */
void ptl_status_log(const struct ptl_stream *stream,
		    struct posix_trace_status_info *info);

#endif
