/* SPDX-License-Identifier: MIT */
/* Triggers that have fired (ptrace-run --when): events trace:trigger. */
#ifndef PTL_TOOLS_REPORT_MODEL_FIRINGS_H
#define PTL_TOOLS_REPORT_MODEL_FIRINGS_H

#include "tools/model/model.h"

struct ptl_trigger_sum {
	int64_t trigger;	   /* its number, from 1 on */
	const char *when, *action; /* never NULL */
	uint64_t nr;
	int64_t first, last; /* ns since the first event */
};

/* Of such an event: kept in the model. */
void ptl_firings_learn(const struct ptl_step *step);

/* The first, or the next, in the order in which they fired first. */
const struct ptl_trigger_sum *
ptl_firings_next(const struct ptl_model *model,
		 const struct ptl_trigger_sum *sum);

#endif
