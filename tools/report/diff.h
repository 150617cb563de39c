/* SPDX-License-Identifier: MIT */
/* --diff: what is more in one log than in another, and what less. */
#ifndef PTL_TOOLS_REPORT_DIFF_H
#define PTL_TOOLS_REPORT_DIFF_H

#include "tools/report/choices.h"
#include "tools/report/run.h"

/* Both have been read, for the same view as their first. */
void ptl_diff_show(struct ptl_run *a, struct ptl_run *b,
		   const struct ptl_choices *choices);

#endif
