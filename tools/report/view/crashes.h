/* SPDX-License-Identifier: MIT */
/* What crashed, and where: before all else. */
#ifndef PTL_TOOLS_REPORT_VIEW_CRASHES_H
#define PTL_TOOLS_REPORT_VIEW_CRASHES_H

#include "tools/lib/out.h"
#include "tools/model/model.h"

void ptl_crashes_print(const struct ptl_model *model);

/* An array; a member that is not the first. */
void ptl_crashes_json(const struct ptl_model *model, struct ptl_out *out);

#endif
