/* SPDX-License-Identifier: MIT */
/* What gauges and counters amount to; see value_sums.h. */
#include "tools/report/model/value_sums.h"

void ptl_value_sums_begin(struct ptl_value_sums *sums)
{
	*sums = (struct ptl_value_sums){
		.by_name = {.value_size = sizeof(struct ptl_value_sum)},
		.curves = {.value_size = sizeof(struct ptl_value_curve)},
	};
	ptl_series_begin(&sums->series);
}

void ptl_value_sums_free(struct ptl_value_sums *sums)
{
	struct ptl_value_curve *curve = NULL;

	while ((curve = ptl_hash_next(&sums->curves, curve)) != NULL)
		ptl_curve_free(&curve->curve);
	ptl_hash_clear(&sums->curves);
	ptl_hash_clear(&sums->by_name);
	ptl_series_free(&sums->series);
}

static struct ptl_value_sum *get(struct ptl_value_sums *sums,
				 const struct ptl_series *series)
{
	struct {
		const char *name;
		uint64_t mark;
	} key = {series->name, series->mark};
	struct ptl_value_sum *sum =
		ptl_hash_get(&sums->by_name, &key, sizeof(key));

	sum->name = series->name;
	sum->mark = series->mark;
	return sum;
}

static void add(struct ptl_value_sum *sum, double value)
{
	if (sum->nr == 0 || value < sum->min)
		sum->min = value;
	if (sum->nr == 0 || value > sum->max)
		sum->max = value;
	sum->nr++;
	sum->sum += value;
	sum->last = value;
}

static void draw(struct ptl_value_curve *curve, const struct ptl_series *series,
		 int64_t now, double value)
{
	curve->series = series;
	curve->nr++;
	if (series->mark == PTL_ARG_COUNTER)
		ptl_curve_add(&curve->curve, now, value);
	else
		ptl_curve_put(&curve->curve, now, value);
}

void ptl_value_sums_learn(struct ptl_value_sums *sums,
			  const struct ptl_step *step)
{
	const struct ptl_series *series;
	unsigned int at = 0;
	double value;

	while ((series = ptl_series_take(&sums->series, step, &at, &value)) !=
	       NULL) {
		struct ptl_value_sum *sum = get(sums, series);
		struct ptl_value_curve *curve = ptl_hash_get(
			&sums->curves, &series->number, sizeof(series->number));

		sum->nr_processes += curve->nr == 0;
		add(sum, value);
		draw(curve, series, step->now, value);
	}
}

void ptl_value_sums_end(struct ptl_value_sums *sums)
{
	struct ptl_value_curve *curve = NULL;

	while ((curve = ptl_hash_next(&sums->curves, curve)) != NULL)
		if (curve->series->mark == PTL_ARG_GAUGE &&
		    curve->series->process != NULL)
			ptl_curve_put(&curve->curve,
				      curve->series->process->end,
				      curve->curve.last);
}

const struct ptl_value_sum *
ptl_value_sums_next(const struct ptl_value_sums *sums,
		    const struct ptl_value_sum *sum)
{
	return ptl_hash_next(&sums->by_name, sum);
}

const struct ptl_value_curve *
ptl_value_sums_next_curve(const struct ptl_value_sums *sums,
			  const struct ptl_value_curve *curve)
{
	return ptl_hash_next(&sums->curves, curve);
}
