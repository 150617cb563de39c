/* SPDX-License-Identifier: MIT */
/* --sql: logs as tables that are asked in SQL. */
#ifndef PTL_TOOLS_REPORT_SQL_H
#define PTL_TOOLS_REPORT_SQL_H

#include "tools/report/choices.h"

/* Returns the exit status. */
int ptl_report_sql(const struct ptl_choices *choices);

#endif
