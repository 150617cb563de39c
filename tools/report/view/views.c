/* SPDX-License-Identifier: MIT */
/* The views that there are; see report.h. */
#include "tools/report/view/report.h"

#include <assert.h>
#include <stddef.h>

#define VIEWS(ROW) \
	ROW(ptl_report_default) \
	ROW(ptl_report_processes) \
	ROW(ptl_report_calls) \
	ROW(ptl_report_cpu) \
	ROW(ptl_report_off_cpu) \
	ROW(ptl_report_files) \
	ROW(ptl_report_locks) \
	ROW(ptl_report_waits) \
	ROW(ptl_report_critical_path) \
	ROW(ptl_report_ranks) \
	ROW(ptl_report_memory) \
	ROW(ptl_report_io) \
	ROW(ptl_report_spans) \
	ROW(ptl_report_values) \
	ROW(ptl_report_contexts) \
	ROW(ptl_report_events)

#define DECLARATION(view) extern const struct ptl_report_view view;
#define ELEMENT(view) &(view),
#define ONE(view) +1

VIEWS(DECLARATION)

const struct ptl_report_view *const ptl_report_views[PTL_REPORT_VIEWS + 1] = {
	VIEWS(ELEMENT) NULL};
static_assert((0 VIEWS(ONE)) == PTL_REPORT_VIEWS,
	      "who has room for each relies on it");
