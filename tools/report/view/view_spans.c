/* SPDX-License-Identifier: MIT */
/* --spans: what programs say of themselves: how often and how long, by name. */
#include <stdlib.h>

#include "tools/lib/say.h"
#include "tools/report/model/span_sums.h"
#include "tools/report/show/json.h"
#include "tools/report/view/report.h"
#include "tools/report/show/screen.h"
#include "tools/report/view/spans.h"

static const struct ptl_column columns[] = {
	{"COUNT", "count", PTL_COLUMN_COUNT},
	{"OPEN", "open", PTL_COLUMN_COUNT},
	{"TOTAL", "total", PTL_COLUMN_DURATION},
	{"SELF", "self", PTL_COLUMN_DURATION},
	{"~P50", "p50", PTL_COLUMN_DURATION},
	{"~P99", "p99", PTL_COLUMN_DURATION},
	{"MAX", "max", PTL_COLUMN_DURATION},
	{"SPAN", "span", PTL_COLUMN_TEXT},
	{0},
};

static void *begin(const struct ptl_report_settings *settings,
		   struct ptl_model *model)
{
	struct ptl_span_sums *sums = ptl_alloc(sizeof(*sums));

	(void)settings;
	(void)model;
	ptl_span_sums_begin(sums);
	return sums;
}

static void learn(void *of, const struct ptl_step *step)
{
	ptl_span_sums_learn(of, step);
}

static void add_rows(const struct ptl_span_sums *sums,
		     const struct ptl_model *model, struct ptl_table *table)
{
	const struct ptl_span_sum *sum = NULL;

	while ((sum = ptl_span_sums_next(sums, sum)) != NULL) {
		const struct ptl_hist *hist = &sum->hist;
		struct ptl_row *row = ptl_table_row(table, sum);

		row->cell[0] = ptl_cell_number((int64_t)sum->nr);
		row->cell[0].is_least = model->lost > 0;
		if (sum->nr_open > 0)
			row->cell[1] = ptl_cell_number((int64_t)sum->nr_open);
		row->cell[7] = ptl_cell_text(sum->name);
		if (hist->nr == 0)
			continue;
		row->cell[2] = ptl_cell_number((int64_t)hist->sum);
		row->cell[3] = ptl_cell_number(sum->self);
		row->cell[4] = ptl_cell_number(ptl_hist_quantile(hist, 500));
		row->cell[5] = ptl_cell_number(ptl_hist_quantile(hist, 990));
		row->cell[6] = ptl_cell_number((int64_t)hist->max);
	}
}

static void make_rows(void *of, struct ptl_model *model,
		      struct ptl_table *table)
{
	add_rows(of, model, table);
}

void ptl_spans_find(const struct ptl_span_sums *sums,
		    const struct ptl_model *model, struct ptl_table *table,
		    size_t top)
{
	ptl_table_begin(table, columns);
	table->all_by = "--spans";
	add_rows(sums, model, table);
	ptl_table_sort(table, "total", top);
}

static void print_above(void *of, struct ptl_model *model)
{
	(void)of;
	(void)model;
	ptl_line_words("TOTAL is of spans that ended; SELF is without other "
		       "spans in them; OPEN are those without an end");
}

static void put_more(struct ptl_out *out, const void *row_of)
{
	const struct ptl_span_sum *sum = row_of;

	ptl_json_number(out, "ended_in_another_thread", (int64_t)sum->nr_aside);
}

static void end(void *of)
{
	ptl_span_sums_free(of);
	free(of);
}

const struct ptl_report_view ptl_report_spans = {
	.name = "spans",
	.about = "spans that programs record of themselves: how often, how "
		 "long",
	.needs = (const enum ptl_family[]){0},
	.column = columns,
	.sort = "total",
	.identity = "span",
	.begin = begin,
	.event = learn,
	.rows = make_rows,
	.free = end,
	.above = print_above,
	.more = put_more,
};
