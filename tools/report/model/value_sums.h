/* SPDX-License-Identifier: MIT */
/* What gauges and counters (tools/model/series.h) amount to, by their names;
 * and each of them over time. */
#ifndef PTL_TOOLS_REPORT_MODEL_VALUE_SUMS_H
#define PTL_TOOLS_REPORT_MODEL_VALUE_SUMS_H

#include "tools/model/series.h"
#include "tools/lib/curve.h"

/* Of one name, in all processes. */
struct ptl_value_sum {
	const char *name;
	enum ptl_arg_mark mark;
	uint64_t nr, nr_processes;
	double min, max, sum;
	double last; /* that was recorded, whichever process did */
};

/* Of one process. */
struct ptl_value_curve {
	const struct ptl_series *series;
	uint64_t nr;
	struct ptl_curve curve;
};

struct ptl_value_sums {
	struct ptl_series_set series;
	struct ptl_hash by_name, curves;
};

void ptl_value_sums_begin(struct ptl_value_sums *sums);
void ptl_value_sums_learn(struct ptl_value_sums *sums,
			  const struct ptl_step *step);
void ptl_value_sums_free(struct ptl_value_sums *sums);

/* After the last event: gauges keep their values as long as their processes
 * live. */
void ptl_value_sums_end(struct ptl_value_sums *sums);

/* In the order in which they came first: NULL before the first, and behind the
 * last. */
const struct ptl_value_sum *
ptl_value_sums_next(const struct ptl_value_sums *sums,
		    const struct ptl_value_sum *sum);
const struct ptl_value_curve *
ptl_value_sums_next_curve(const struct ptl_value_sums *sums,
			  const struct ptl_value_curve *curve);

#endif
