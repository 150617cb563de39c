/* SPDX-License-Identifier: MIT */
/* The page that a view makes: title, table, what is missing; or JSON. */
#ifndef PTL_TOOLS_REPORT_PAGE_H
#define PTL_TOOLS_REPORT_PAGE_H

#include "tools/report/choices.h"
#include "tools/report/run.h"

/* Rows: as many as the user wants, or as fit. */
size_t ptl_page_top(const struct ptl_choices *choices);

/* Of the first view that was run. */
void ptl_page_show(struct ptl_run *run, const struct ptl_choices *choices);

#endif
