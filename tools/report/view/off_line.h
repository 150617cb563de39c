/* SPDX-License-Identifier: MIT */
/* The lines of the default page for --off-cpu. */
#ifndef PTL_TOOLS_REPORT_VIEW_OFF_LINE_H
#define PTL_TOOLS_REPORT_VIEW_OFF_LINE_H

#include "tools/report/model/off_cpu.h"

/* Nothing, if no time was recorded; there are no events more. */
void ptl_off_line_print(struct ptl_off_cpu *off);

#endif
