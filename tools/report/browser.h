/* SPDX-License-Identifier: MIT */
/* --browse: logs looked at in a terminal. */
#ifndef PTL_TOOLS_REPORT_BROWSER_H
#define PTL_TOOLS_REPORT_BROWSER_H

#include "tools/report/choices.h"

/* Returns what the program ends with. */
int ptl_report_browse(const struct ptl_choices *choices);

#endif
