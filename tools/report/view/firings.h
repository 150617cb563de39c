/* SPDX-License-Identifier: MIT */
/* Which triggers have fired, and how often: below the title. */
#ifndef PTL_TOOLS_REPORT_VIEW_FIRINGS_H
#define PTL_TOOLS_REPORT_VIEW_FIRINGS_H

#include "tools/lib/out.h"
#include "tools/model/model.h"

void ptl_firings_print(const struct ptl_model *model);

/* An array; a member that is not the first. */
void ptl_firings_json(const struct ptl_model *model, struct ptl_out *out);

#endif
