/* SPDX-License-Identifier: MIT */
/*
 * --flame FILE: a flame graph.  A box is as wide as what was spent in a
 * function and all that it called; what that is, wall time or events, the title
 * says.
 */
#ifndef PTL_TOOLS_REPORT_DRAW_FLAME_H
#define PTL_TOOLS_REPORT_DRAW_FLAME_H

#include "tools/report/model/paths.h"
#include "tools/report/view/report.h"

/* The view of it has no rows and no page. */
extern const struct ptl_report_view ptl_report_flame;

/* What the view has learned, summed up by a measure: what a path is worth,
 * *title says.  Measures are 0, 1 ..., the first one the default; NULL: there
 * is none of that number.  Valid until the next call. */
const struct ptl_paths *ptl_flame_paths(void *of, unsigned int measure,
					const char **title,
					enum ptl_column_kind *kind);

/* Writes what the view has learned, as an SVG picture. */
void ptl_flame_write(void *of, struct ptl_model *model, struct ptl_out *out);

#endif
