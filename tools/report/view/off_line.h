/* SPDX-License-Identifier: MIT */
/* The line of the default page for --off-cpu. */
#ifndef PTL_TOOLS_REPORT_VIEW_OFF_LINE_H
#define PTL_TOOLS_REPORT_VIEW_OFF_LINE_H

#include "tools/report/model/off_all.h"

/* Nothing, if that was not recorded. */
void ptl_off_line_print(const struct ptl_off_all *all);

#endif
