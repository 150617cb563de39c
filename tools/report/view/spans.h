/* SPDX-License-Identifier: MIT */
/* The rows of --spans, for the default page. */
#ifndef PTL_TOOLS_REPORT_VIEW_SPANS_H
#define PTL_TOOLS_REPORT_VIEW_SPANS_H

#include "tools/report/model/span_sums.h"
#include "tools/report/show/table.h"

/* The first `top' of them. */
void ptl_spans_find(const struct ptl_span_sums *sums,
		    const struct ptl_model *model, struct ptl_table *table,
		    size_t top);

#endif
