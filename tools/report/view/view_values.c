/* SPDX-License-Identifier: MIT */
/* --values: the gauges and counters that programs record. */
#include <stdlib.h>

#include "tools/lib/say.h"
#include "tools/report/show/json.h"
#include "tools/report/view/report.h"
#include "tools/report/show/screen.h"
#include "tools/report/view/values.h"

static const struct ptl_column columns[] = {
	{"COUNT", "count", PTL_COLUMN_COUNT},
	{"MIN", "min", PTL_COLUMN_REAL},
	{"MEAN", "mean", PTL_COLUMN_REAL},
	{"MAX", "max", PTL_COLUMN_REAL},
	{"LAST", "last", PTL_COLUMN_REAL},
	{"SUM", "sum", PTL_COLUMN_REAL},
	{"RATE(/s)", "rate", PTL_COLUMN_REAL},
	{"KIND", "kind", PTL_COLUMN_TEXT},
	{"NAME", "name", PTL_COLUMN_TEXT},
	{"", "value", PTL_COLUMN_REAL}, /* for --diff */
	{0},
};

static void *begin(const struct ptl_report_settings *settings,
		   struct ptl_model *model)
{
	struct ptl_value_sums *sums = ptl_alloc(sizeof(*sums));

	(void)settings;
	(void)model;
	ptl_value_sums_begin(sums);
	return sums;
}

static void learn(void *of, const struct ptl_step *step)
{
	ptl_value_sums_learn(of, step);
}

static void put_row(struct ptl_row *row, const struct ptl_value_sum *sum,
		    const struct ptl_model *model)
{
	bool is_gauge = sum->mark == PTL_ARG_GAUGE;
	double mean = sum->sum / (double)sum->nr;

	row->cell[0] = ptl_cell_number((int64_t)sum->nr);
	row->cell[0].is_least = model->lost > 0;
	row->cell[1] = ptl_cell_real(sum->min);
	row->cell[2] = ptl_cell_real(mean);
	row->cell[3] = ptl_cell_real(sum->max);
	row->cell[7] = ptl_cell_text(is_gauge ? "gauge" : "counter");
	row->cell[8] = ptl_cell_text(sum->name);
	row->cell[9] = ptl_cell_real(is_gauge ? mean : sum->sum);
	if (is_gauge) {
		row->cell[4] = ptl_cell_real(sum->last);
		return;
	}
	row->cell[5] = ptl_cell_real(sum->sum);
	row->cell[5].is_least = model->lost > 0 && sum->min >= 0;
	if (ptl_model_wall(model) > 0)
		row->cell[6] = ptl_cell_real(sum->sum * 1e9 /
					     (double)ptl_model_wall(model));
}

static void add_rows(const struct ptl_value_sums *sums,
		     const struct ptl_model *model, struct ptl_table *table)
{
	const struct ptl_value_sum *sum = NULL;

	while ((sum = ptl_value_sums_next(sums, sum)) != NULL)
		put_row(ptl_table_row(table, sum), sum, model);
}

static void make_rows(void *of, struct ptl_model *model,
		      struct ptl_table *table)
{
	ptl_value_sums_end(of);
	add_rows(of, model, table);
}

void ptl_values_find(const struct ptl_value_sums *sums,
		     const struct ptl_model *model, struct ptl_table *table,
		     size_t top)
{
	ptl_table_begin(table, columns);
	table->all_by = "--values";
	add_rows(sums, model, table);
	ptl_table_sort(table, "count", top);
}

static void print_above(void *of, struct ptl_model *model)
{
	(void)of;
	(void)model;
	ptl_line_words("MIN, MEAN and MAX are of what events say, of a counter "
		       "how much more; RATE is the SUM by the time of the "
		       "whole trace");
}

static void put_more(struct ptl_out *out, const void *row_of)
{
	const struct ptl_value_sum *sum = row_of;

	ptl_json_number(out, "processes", (int64_t)sum->nr_processes);
}

static void end(void *of)
{
	ptl_value_sums_free(of);
	free(of);
}

const struct ptl_value_sums *ptl_report_value_sums(const void *of)
{
	return of;
}

const struct ptl_report_view ptl_report_values = {
	.name = "values",
	.about = "gauges and counters that programs record: smallest, mean, "
		 "sum",
	.needs = (const enum ptl_family[]){0},
	.column = columns,
	.sort = "count",
	.identity = "kind name",
	.compared = "value",
	.begin = begin,
	.event = learn,
	.rows = make_rows,
	.free = end,
	.above = print_above,
	.more = put_more,
};
