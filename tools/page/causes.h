/* SPDX-License-Identifier: MIT */
/* What a page shows of causes: who ended a wait, and what was done meanwhile;
 * and the critical path. */
#ifndef PTL_TOOLS_PAGE_CAUSES_H
#define PTL_TOOLS_PAGE_CAUSES_H

#include "tools/lib/out.h"
#include "tools/report/model/chain.h"

/*
 * Two members: "waits", of the longest [process's number, tid, begin, end,
 * process and tid of who ended it, when, the time of its event, what was waited
 * for, meanwhile], by their begin; and "critical", of the longest links
 * [process, tid, begin, end].  meanwhile is an array of what was done by those
 * that were waited for, one by the other: ["PROGRAM: WHAT", time, process and
 * tid of the longest, its begin], the most first.
 */
void ptl_causes_json(const struct ptl_strands *strands,
		     const struct ptl_link *link, size_t nr_links,
		     struct ptl_out *out);

#endif
