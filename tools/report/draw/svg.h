/* SPDX-License-Identifier: MIT */
/* Paths of calls as a picture: one file, which needs no other. */
#ifndef PTL_TOOLS_REPORT_DRAW_SVG_H
#define PTL_TOOLS_REPORT_DRAW_SVG_H

#include "tools/lib/out.h"
#include "tools/report/model/paths.h"
#include "tools/report/show/table.h"

/* What a box is worth: said in the title, and shown as such a column would. */
void ptl_svg_write(struct ptl_out *out, const struct ptl_paths *paths,
		   const char *title, enum ptl_column_kind kind);

#endif
