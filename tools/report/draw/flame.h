/* SPDX-License-Identifier: MIT */
/*
 * --flame FILE: a flame graph.  A box is as wide as what was spent in a
 * function and all that it called; what that is, wall time or events, the title
 * says.
 */
#ifndef PTL_TOOLS_REPORT_DRAW_FLAME_H
#define PTL_TOOLS_REPORT_DRAW_FLAME_H

#include "tools/report/view/report.h"

/* It has no rows and no page. */
extern const struct ptl_report_view ptl_report_flame;

/* Writes what the view has learned, as an SVG picture. */
void ptl_flame_write(void *of, struct ptl_model *model, struct ptl_out *out);

#endif
