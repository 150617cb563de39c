/* SPDX-License-Identifier: MIT */
/* Going on with a stream and its log where another controller has ended. */
#ifndef PTL_CORE_CONTROL_TAKEOVER_H
#define PTL_CORE_CONTROL_TAKEOVER_H

#include "core/stream/stream.h"

/*
 * Makes a new `stream' with log that of `map', from the log opened as fd (or
 * found by the path in the segment, if fd is -1).  Returns 0, ENOENT, or why
 * the log cannot be written; the mapping is the stream's in any case.
 */
int ptl_takeover(struct ptl_stream *stream, int dir, struct ptl_map *map,
		 int fd);

/* Takes over a stream that goes on, and is the caller's from now on.  The
 * mapping is the stream's, or gone. */
int ptl_takeover_adopt(int dir, struct ptl_map *map, int fd, trace_id_t *trid);

/*
 * After an exec: what the image before it left to its successors to control
 * (ptl_core_keep()) is controlled by this one, if its log can be opened; false
 * if there is nothing of the kind.
 */
bool ptl_takeover_own(void);

/* Before an exec: such streams have no controller for a moment. */
void ptl_takeover_exec(void);

#endif
