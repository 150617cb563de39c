/* SPDX-License-Identifier: MIT */
/* Links between spans of the user, for arrows on the page. */
#ifndef PTL_TOOLS_PAGE_SPANLINKS_H
#define PTL_TOOLS_PAGE_SPANLINKS_H

#include "tools/lib/out.h"
#include "tools/model/model.h"

struct ptl_page_spanlinks {
	struct ptl_page_spanlink *link;
	size_t nr, room;
};

/* Takes a span:link.  First: ns of CLOCK_REALTIME that times count from. */
void ptl_spanlinks_learn(struct ptl_page_spanlinks *links,
			 const struct ptl_step *step, uint64_t first);

/*
 * A member "spanLinks", of each [process's number, tid and begin of the span,
 * the same of the one that it goes on from, "cause" or "follows"].
 */
void ptl_spanlinks_json(const struct ptl_page_spanlinks *links,
			struct ptl_out *out);

void ptl_spanlinks_free(struct ptl_page_spanlinks *links);

#endif
