/* SPDX-License-Identifier: MIT */
/* The totals of a stream and its log, and how they stand there at the end. */
#ifndef PTL_CORE_FLUSH_TOTALS_H
#define PTL_CORE_FLUSH_TOTALS_H

#include "core/format/logfile.h"
#include "core/stream/stream.h"

/* At the end: no thread records any more, and what is not in the log is lost.
 */
void ptl_totals_last(const struct ptl_stream *stream, struct ptl_log_end *end);

/*
 * What the segment says of a log that has no end: of a stream that still runs
 * what is lost so far; of one that is `over' also what did not get into the
 * log.  Names: those of its family, or NULL if they are not to be had.
 */
void ptl_totals_known(const struct ptl_map *map,
		      const struct ptl_shm_names *names, bool over,
		      struct ptl_log_end *end);

/* What its head says of a log that could not be ended.  False: nothing. */
bool ptl_totals_cut(const struct ptl_log_head *head, struct ptl_log_end *end);

/* What totals say, for programs. */
void ptl_totals_info(const struct ptl_log_end *end,
		     const struct ptl_untraced *untraced,
		     struct posix_trace_info_np *info);

#endif
