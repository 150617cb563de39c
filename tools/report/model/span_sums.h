/* SPDX-License-Identifier: MIT */
/* What spans of the user (tools/model/userspans.h) amount to, by their names.
 */
#ifndef PTL_TOOLS_REPORT_MODEL_SPAN_SUMS_H
#define PTL_TOOLS_REPORT_MODEL_SPAN_SUMS_H

#include <stdint.h>

#include "tools/lib/hash.h"
#include "tools/model/model.h"
#include "tools/lib/hist.h"

struct ptl_span_sum {
	const char *name;
	uint64_t nr;	   /* that began, as far as was seen */
	uint64_t nr_open;  /* of them, so many have no end: by the last event */
	uint64_t nr_aside; /* ended in another thread */
	int64_t self;	   /* without spans in them */
	struct ptl_hist hist; /* of those that ended */
};

/* All zero before. */
struct ptl_span_sums {
	struct ptl_hash by_name;
};

void ptl_span_sums_begin(struct ptl_span_sums *sums);
void ptl_span_sums_learn(struct ptl_span_sums *sums,
			 const struct ptl_step *step);
void ptl_span_sums_free(struct ptl_span_sums *sums);

/* In the order of their first begins: NULL before the first, and behind the
 * last. */
const struct ptl_span_sum *ptl_span_sums_next(const struct ptl_span_sums *sums,
					      const struct ptl_span_sum *sum);

#endif
