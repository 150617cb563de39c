/* SPDX-License-Identifier: MIT */
/* The rows of --values, for the default page; and curves, for the HTML page. */
#ifndef PTL_TOOLS_REPORT_VIEW_VALUES_H
#define PTL_TOOLS_REPORT_VIEW_VALUES_H

#include "tools/report/model/value_sums.h"
#include "tools/report/show/table.h"

/* The first `top' of them. */
void ptl_values_find(const struct ptl_value_sums *sums,
		     const struct ptl_model *model, struct ptl_table *table,
		     size_t top);

/* What the view knows besides its rows. */
extern const struct ptl_report_view ptl_report_values;
const struct ptl_value_sums *ptl_report_value_sums(const void *of);

#endif
