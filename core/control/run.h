/* SPDX-License-Identifier: MIT */
/* Whether a stream records, and what: its controller holds its lock. */
#ifndef PTL_CORE_CONTROL_RUN_H
#define PTL_CORE_CONTROL_RUN_H

#include "core/stream/stream.h"

/* Lets a stopped stream record, with START as the first event. */
void ptl_run_start(struct ptl_stream *stream);

/* Stops recording at once, for every process; STOP is the last event. */
void ptl_run_stop(struct ptl_stream *stream);

/* Changes the filter, how: as posix_trace_set_filter() has it. */
void ptl_run_filter(struct ptl_stream *stream, const uint64_t *set, int how);

#endif
