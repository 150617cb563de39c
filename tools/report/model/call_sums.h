/* SPDX-License-Identifier: MIT */
/*
 * Calls that were summed up (ptrace-run -c) as paths.  Known is of each
 * function and each caller how often and how long; not through which callers of
 * that. So what a function does that several call is shared among them by the
 * time that it took for each, as gprof(1) does it.
 */
#ifndef PTL_TOOLS_REPORT_MODEL_CALL_SUMS_H
#define PTL_TOOLS_REPORT_MODEL_CALL_SUMS_H

#include "tools/report/model/paths.h"

struct ptl_call_sum {
	struct ptl_path *program;
	const char *caller, *callee; /* interned, and named alike */
	uint64_t nr, nr_open;
	int64_t total, self;
	bool is_shown;
};

struct ptl_call_sums {
	struct ptl_hash known; /* size_t, by the first three of a sum: place + 1
				*/
	struct ptl_call_sum *sum;
	size_t nr, room;
};

void ptl_call_sums_begin(struct ptl_call_sums *sums);
void ptl_call_sums_free(struct ptl_call_sums *sums);

/* Adds the figures of one, the rest of which says which it is. */
void ptl_call_sums_add(struct ptl_call_sums *sums,
		       const struct ptl_call_sum *some);

/* Each below its program, in these paths. */
void ptl_call_sums_show(struct ptl_call_sums *sums, struct ptl_paths *paths);

#endif
