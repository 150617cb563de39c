/* SPDX-License-Identifier: MIT */
/* Links between spans of the user (posix_trace_span_link_np), as arrows. */
#ifndef PTL_TOOLS_DUMP_EXPORT_LINKS_H
#define PTL_TOOLS_DUMP_EXPORT_LINKS_H

#include "tools/dump/export/tracks.h"

/* An end of an arrow: a moment of a span, in the track where that began. */
struct ptl_arrow_end {
	struct ptl_track *track;
	uint64_t at;
	const char *name; /* of the span */
};

struct ptl_arrow {
	uint64_t number; /* of no fork's arrow, and of no other link */
	struct ptl_arrow_end from, to;
	const char *kind; /* "cause" or "follows" */
};

/*
 * Takes each event and its track.  True: it links two spans that are known. The
 * arrow goes from what was the cause, where that began, or from what is
 * followed, where that ended, to where the other one began.
 */
bool ptl_links_take(struct ptl_tracks *tracks, struct ptl_track *track,
		    const struct ptl_step *step, struct ptl_arrow *link);

#endif
