/* SPDX-License-Identifier: MIT */
/* What spans of the user amount to; see span_sums.h. */
#include "tools/report/model/span_sums.h"

#include <stdlib.h>

void ptl_span_sums_begin(struct ptl_span_sums *sums)
{
	*sums = (struct ptl_span_sums){
		.by_name = {.value_size = sizeof(struct ptl_span_sum)}};
}

static struct ptl_span_sum *get(struct ptl_span_sums *sums, const char *name)
{
	struct ptl_span_sum *sum =
		ptl_hash_get(&sums->by_name, &name, sizeof(name));

	sum->name = name;
	return sum;
}

void ptl_span_sums_learn(struct ptl_span_sums *sums,
			 const struct ptl_step *step)
{
	const struct ptl_userspan *span = step->span;
	struct ptl_span_sum *sum;

	if (span == NULL)
		return;
	sum = get(sums, span->name);
	if (step->kind->act == PTL_ACT_SPAN_BEGIN) {
		sum->nr++;
		sum->nr_open++;
		return;
	}
	sum->nr_open--;
	sum->nr_aside += span->is_aside;
	sum->self += span->self;
	ptl_hist_add(&sum->hist, (uint64_t)span->total);
}

void ptl_span_sums_free(struct ptl_span_sums *sums)
{
	struct ptl_span_sum *sum = NULL;

	while ((sum = ptl_hash_next(&sums->by_name, sum)) != NULL)
		ptl_hist_free(&sum->hist);
	ptl_hash_clear(&sums->by_name);
}

const struct ptl_span_sum *ptl_span_sums_next(const struct ptl_span_sums *sums,
					      const struct ptl_span_sum *sum)
{
	return ptl_hash_next(&sums->by_name, sum);
}
