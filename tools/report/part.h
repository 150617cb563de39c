/* SPDX-License-Identifier: MIT */
/*
 * The part of the time between two events, as of a request: --since and --until
 * with what they are called, or an expression.
 */
#ifndef PTL_TOOLS_REPORT_PART_H
#define PTL_TOOLS_REPORT_PART_H

#include <stdbool.h>

#include "tools/read/merge.h"
#include "tools/read/filter/filter.h"

/* Of a part of the time: an event, or a time. */
struct ptl_part_end {
	const char *text; /* as it was given */
	struct ptl_filter_time time;
	struct ptl_where *where; /* NULL: the time */
};

struct ptl_part {
	struct ptl_part_end since, until;
};

/* Of --since and --until: a time; else the name of an event, or an expression.
 * False: it is none of them, and *error says what is wrong with it. */
bool ptl_report_part_parse(struct ptl_part_end *end, const char *text,
			   struct ptl_where_error *error);

/*
 * Sets the times of the filter.  Of events it is the first that is called so,
 * and the next that is called as the end: the logs are read once for that.
 * False: there is none, or they cannot be read twice, which was said.
 */
bool ptl_report_part_set(const struct ptl_part *part,
			 const struct ptl_merge *merge,
			 struct ptl_filter *filter);

#endif
