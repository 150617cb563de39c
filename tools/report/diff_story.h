/* SPDX-License-Identifier: MIT */
/* --diff: calls that failed in one of two runs only, and where they part. */
#ifndef PTL_TOOLS_REPORT_DIFF_STORY_H
#define PTL_TOOLS_REPORT_DIFF_STORY_H

#include "tools/report/model/story.h"
#include "tools/report/run.h"

/* What is kept of each of the two for it; no view that is shown. */
extern const struct ptl_report_view ptl_report_story;

/* Above the rows; and as members of the object. */
void ptl_diff_story_print(const struct ptl_run *a, const struct ptl_run *b,
			  size_t top);
void ptl_diff_story_json(const struct ptl_run *a, const struct ptl_run *b,
			 struct ptl_out *out);

#endif
