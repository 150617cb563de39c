/* SPDX-License-Identifier: MIT */
/*
 * --html FILE: one page that needs nothing else: a timeline, a flame graph and
 * all tables.
 */
#ifndef PTL_TOOLS_PAGE_HTML_H
#define PTL_TOOLS_PAGE_HTML_H

#include "tools/page/timeline.h"
#include "tools/report/model/paths.h"

/* A page is never larger than that, unless it is asked for. */
#define PTL_HTML_MAX (UINT64_C(32) << 20)

/* What a page is made of: the timeline, and each view that has rows. */
struct ptl_html {
	struct ptl_model *model;
	struct ptl_timeline *timeline;
	void *flame;		      /* of ptl_report_flame */
	void **view;		      /* of ptl_report_views, in their order */
	const char *name;	      /* of the log, if there is another one */
	const struct ptl_html *other; /* to be compared with; or NULL */
	uint64_t page_size;	      /* that is asked for; 0: not said */
};

void ptl_html_write(const struct ptl_html *html, struct ptl_out *out);

#endif
