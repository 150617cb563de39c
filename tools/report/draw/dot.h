/* SPDX-License-Identifier: MIT */
/* --dot FILE: the tree of processes for dot(1). */
#ifndef PTL_TOOLS_REPORT_DRAW_DOT_H
#define PTL_TOOLS_REPORT_DRAW_DOT_H

#include "tools/lib/out.h"
#include "tools/model/model.h"

void ptl_dot_write(const struct ptl_model *model, struct ptl_out *out);

#endif
