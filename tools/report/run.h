/* SPDX-License-Identifier: MIT */
/* Logs read once, for some views at a time. */
#ifndef PTL_TOOLS_REPORT_RUN_H
#define PTL_TOOLS_REPORT_RUN_H

#include "tools/report/view/report.h"

#define PTL_RUN_VIEWS 20

struct ptl_run {
	struct ptl_merge merge;
	struct ptl_model model;
	struct ptl_filter filter; /* some time may be wanted only */
	size_t nr_views;
	struct {
		const struct ptl_report_view *view;
		void *of;
	} view[PTL_RUN_VIEWS];
};

/* As ptl_merge_open(). */
void ptl_run_open(struct ptl_run *run, char *const *paths, size_t nr,
		  int *status);
void ptl_run_add(struct ptl_run *run, const struct ptl_report_view *view,
		 const struct ptl_report_settings *settings);
/* What it knows, of a view that was added. */
void *ptl_run_of(const struct ptl_run *run, const struct ptl_report_view *view);
void ptl_run_read(struct ptl_run *run);

/* Says which logs are not whole; *status becomes PTL_EXIT_DAMAGED then. */
void ptl_run_close(struct ptl_run *run, int *status);

#endif
