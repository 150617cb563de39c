/* SPDX-License-Identifier: MIT */
/* Who ended whose waiting, as ptrace-report --waits knows it: as arrows. */
#ifndef PTL_TOOLS_DUMP_EXPORT_WAKINGS_H
#define PTL_TOOLS_DUMP_EXPORT_WAKINGS_H

#include "tools/dump/export/tracks.h"
#include "tools/report/model/strands.h"

struct ptl_wakings {
	struct ptl_strands *strands;
	bool is_begun;
	int64_t first; /* the time from which those of the model count */
};

/*
 * An arrow: from what ended a wait, a moment before a thread or process ends,
 * to when that was, but before the end of the wait.  So its ends are in what
 * lasts there.
 */
struct ptl_waking {
	const struct ptl_wait *wait;
	struct ptl_track *from, *to;
	uint64_t from_at, to_at;
	uint64_t number; /* of no other arrow */
};

void ptl_wakings_begin(struct ptl_wakings *wakings);
void ptl_wakings_end(struct ptl_wakings *wakings);

/* Takes each event, if it is shown or not. */
void ptl_wakings_learn(struct ptl_wakings *wakings, struct ptl_track *track,
		       const struct ptl_step *step, bool is_shown);

/*
 * After the last event: the next of those whose wait was shown, and something
 * of the thread that ended it.  *strand is NULL at first, and *nr 0.  False:
 * there are none more.
 */
bool ptl_wakings_next(const struct ptl_wakings *wakings,
		      struct ptl_tracks *tracks,
		      const struct ptl_strand **strand, size_t *nr,
		      struct ptl_waking *waking);

#endif
