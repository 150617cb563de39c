/* SPDX-License-Identifier: MIT */
/* Which events the user has chosen while browsing: by an expression, a time. */
#ifndef PTL_TOOLS_REPORT_BROWSE_CHOSEN_H
#define PTL_TOOLS_REPORT_BROWSE_CHOSEN_H

#include "tools/read/filter/filter.h"
#include "tools/report/browse/prompt.h"

/* All zero: all of them. */
struct ptl_chosen {
	struct ptl_filter filter;
	char where[PTL_PROMPT_SIZE]; /* as it was typed; "": all */
	char time[PTL_PROMPT_SIZE];
	char since[64], until[64]; /* parts of the time */
};

bool ptl_chosen_is_any(const struct ptl_chosen *chosen);

/* Returns NULL, or what is wrong; then nothing is changed.  Valid until the
 * next call. */
const char *ptl_chosen_where(struct ptl_chosen *chosen, const char *text);
const char *ptl_chosen_time(struct ptl_chosen *chosen, const char *text);

/* ns since the first event. */
void ptl_chosen_range(struct ptl_chosen *chosen, int64_t since, int64_t until);

#endif
