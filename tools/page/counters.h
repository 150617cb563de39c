/* SPDX-License-Identifier: MIT */
/* What a page draws as curves: the memory that processes have; gauges and
 * counters. */
#ifndef PTL_TOOLS_PAGE_COUNTERS_H
#define PTL_TOOLS_PAGE_COUNTERS_H

#include "tools/lib/out.h"
#include "tools/model/heaps.h"
#include "tools/report/model/value_sums.h"

/* An array: [the process's number, begin, width of a point in ns, [bytes ...]]
 * of each of the heaps that were the largest. */
void ptl_counters_json(const struct ptl_heaps *heaps, struct ptl_out *out);

/* [the process's number, "gauge" or "counter", name, begin, width, [numbers]]
 * of those that were recorded most often. */
void ptl_counters_values_json(const struct ptl_value_sums *sums,
			      struct ptl_out *out);

#endif
