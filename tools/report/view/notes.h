/* SPDX-License-Identifier: MIT */
/*
 * The first line of each page, and its last ones: what is missing in the
 * logs, and so perhaps in the numbers.
 */
#ifndef PTL_TOOLS_REPORT_VIEW_NOTES_H
#define PTL_TOOLS_REPORT_VIEW_NOTES_H

#include "tools/report/view/report.h"

/* What ran, how long, how many processes and events. */
void ptl_notes_title(const struct ptl_model *model);

/* Lines for what is missing, each only if it is. */
void ptl_notes_missing(const struct ptl_model *model,
		       const struct ptl_report_view *view);

/* Both, as members of an object; the first has no comma. */
void ptl_notes_json(const struct ptl_model *model,
		    const struct ptl_report_view *view, struct ptl_out *out);

#endif
