/* SPDX-License-Identifier: MIT */
/* What a page draws as a curve: the memory that processes have. */
#ifndef PTL_TOOLS_PAGE_COUNTERS_H
#define PTL_TOOLS_PAGE_COUNTERS_H

#include "tools/lib/out.h"
#include "tools/report/model/heaps.h"

/* An array: [the process's number, begin, width of a point in ns, [bytes ...]]
 * of each of the heaps that were the largest. */
void ptl_counters_json(const struct ptl_heaps *heaps, struct ptl_out *out);

#endif
