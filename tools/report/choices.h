/* SPDX-License-Identifier: MIT */
/* The options of ptrace-report. */
#ifndef PTL_TOOLS_REPORT_CHOICES_H
#define PTL_TOOLS_REPORT_CHOICES_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/report/part.h"
#include "tools/report/view/report.h"
#include "tools/report/show/screen.h"

struct ptl_choices {
	const struct ptl_report_view *view;
	bool is_view_given;
	struct ptl_report_settings settings;
	bool wants_json, wants_csv, wants_tree, is_verbose;
	bool wants_browser, is_live, is_aligned;
	struct ptl_part part;
	enum ptl_color_when color;
	const char *sql;   /* a query, or NULL */
	const char *diff;  /* the log to compare with, or NULL */
	const char *flame; /* files to make, or NULL */
	const char *dot;
	const char *html;
	char *const *paths; /* of the logs */
	size_t nr_paths;    /* 0: the newest one */
};

/* Wrong usage ends the program with two lines that say so. */
void ptl_choices_parse(struct ptl_choices *choices, int argc, char **argv);

#endif
