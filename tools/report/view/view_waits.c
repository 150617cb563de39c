/* SPDX-License-Identifier: MIT */
/*
 * --waits: what each program waited for, how long, and what those who made it
 * wait did meanwhile.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/number.h"
#include "tools/lib/say.h"
#include "tools/report/model/wait_sums.h"
#include "tools/report/show/json.h"
#include "tools/report/view/report.h"
#include "tools/report/show/screen.h"

/* Lines below a row. */
#define FEW 3

struct state {
	struct ptl_strands *strands;
	struct ptl_wait_sums *sums; /* when there are no more events */
};

static const struct ptl_column columns[] = {
	{"WAITS", "waits", PTL_COLUMN_COUNT},
	{"WAIT", "wait", PTL_COLUMN_DURATION},
	{"~P50", "p50", PTL_COLUMN_DURATION},
	{"~P99", "p99", PTL_COLUMN_DURATION},
	{"MAX", "max", PTL_COLUMN_DURATION},
	{"PROGRAM", "program", PTL_COLUMN_TEXT},
	{"WAITED FOR", "object", PTL_COLUMN_TEXT},
	{0},
};

static void *begin(const struct ptl_report_settings *settings,
		   struct ptl_model *model)
{
	struct state *state = ptl_alloc(sizeof(*state));

	(void)settings;
	(void)model;
	state->strands = ptl_strands_new();
	return state;
}

static void learn(void *of, const struct ptl_step *step)
{
	struct state *state = of;

	ptl_strands_learn(state->strands, step);
}

static void make_rows(void *of, struct ptl_model *model,
		      struct ptl_table *table)
{
	struct state *state = of;
	const struct ptl_wait_sum *sum = NULL;

	ptl_strands_end(state->strands);
	state->sums = ptl_wait_sums_new(state->strands);
	while ((sum = ptl_wait_sums_next(state->sums, sum)) != NULL) {
		const struct ptl_hist *hist = &sum->hist;
		struct ptl_row *row = ptl_table_row(table, sum);

		row->cell[0] = ptl_cell_number((int64_t)hist->nr);
		row->cell[0].is_least = model->lost > 0;
		row->cell[1] = ptl_cell_number((int64_t)hist->sum);
		row->cell[2] = ptl_cell_number(ptl_hist_quantile(hist, 500));
		row->cell[3] = ptl_cell_number(ptl_hist_quantile(hist, 990));
		row->cell[4] = ptl_cell_number((int64_t)hist->max);
		row->cell[5] = ptl_cell_text(sum->program);
		row->cell[6] = ptl_cell_text(sum->name);
	}
}

static void print_above(void *of, struct ptl_model *model)
{
	const struct state *state = of;

	(void)model;
	ptl_line_words(
		"WAIT is the time in calls that had to wait, or may have "
		"had to; below it is what the threads did meanwhile "
		"that ended the waiting, or that those waited for");
	if (ptl_wait_sums_is_cut(state->sums))
		ptl_line_words("Not all waits could be followed: there are too "
			       "many");
}

/* Of a deed: "83.2ms (71%)  cc1: io:read  at main+0x1f (x)". */
#define TELL_SIZE 600

static size_t tell(const struct ptl_deed *deed, uint64_t whole,
		   char text[TELL_SIZE])
{
	char time[PTL_NUMBER_SIZE];

	return (size_t)snprintf(
		text, TELL_SIZE, "%s (%.0f%%)  %.100s: %.300s%s%.100s",
		ptl_number_duration(time, deed->time),
		100 * (double)deed->time / (double)whole, deed->program,
		deed->what, deed->site != NULL ? "  at " : "",
		deed->site != NULL ? deed->site->name : "");
}

/* None of less than 1 %. */
static bool is_shown(const struct ptl_wait_sum *sum,
		     const struct ptl_deed *deed, size_t number)
{
	return deed != NULL && number < FEW &&
	       deed->time >= (int64_t)(sum->hist.sum / 100) && deed->time > 0;
}

static void print_below(const void *row_of, size_t column)
{
	const struct ptl_wait_sum *sum = row_of;
	const struct ptl_deed *deed = sum->meanwhile;
	char text[TELL_SIZE];

	for (size_t nr = 0; is_shown(sum, deed, nr); deed = deed->next, nr++) {
		tell(deed, sum->hist.sum, text);
		ptl_line_to(column);
		ptl_line("  meanwhile ");
		ptl_line_name(text);
		ptl_line_end();
	}
}

void ptl_report_put_meanwhile(struct ptl_out *out, const void *row_of)
{
	const struct ptl_wait_sum *sum = row_of;
	const struct ptl_deed *deed = sum->meanwhile;
	char text[FEW * (TELL_SIZE + 2)] = "";
	size_t used = 0;

	for (size_t nr = 0; is_shown(sum, deed, nr); deed = deed->next, nr++) {
		if (nr > 0)
			used += (size_t)snprintf(text + used, 3, "; ");
		used += tell(deed, sum->hist.sum, text + used);
	}
	ptl_json_text(out, "meanwhile", used > 0 ? text : NULL);
}

static void put_deed(struct ptl_out *out, const struct ptl_deed *deed,
		     bool is_first)
{
	ptl_out_str(out, is_first ? "{" : ",{");
	ptl_json_key(out, "time", true);
	ptl_out_int(out, deed->time);
	ptl_json_number(out, "count", (int64_t)deed->nr);
	ptl_json_text(out, "program", deed->program);
	ptl_json_text(out, "what", deed->what);
	ptl_json_text(out, "site",
		      deed->site != NULL ? deed->site->name : NULL);
	ptl_out_char(out, '}');
}

static void put_more(struct ptl_out *out, const void *row_of)
{
	const struct ptl_wait_sum *sum = row_of;
	const struct ptl_deed *deed;

	ptl_json_number(out, "ended_by_unknown", (int64_t)sum->nr_unknown);
	ptl_json_key(out, "meanwhile", false);
	ptl_out_char(out, '[');
	for (deed = sum->meanwhile; deed != NULL; deed = deed->next)
		put_deed(out, deed, deed == sum->meanwhile);
	ptl_out_char(out, ']');
}

static void put_members(void *of, struct ptl_model *model, struct ptl_out *out)
{
	const struct state *state = of;

	(void)model;
	ptl_json_number(out, "least", ptl_strands_least(state->strands));
	ptl_json_number(out, "not_all_followed",
			ptl_wait_sums_is_cut(state->sums));
}

static void end(void *of)
{
	struct state *state = of;

	if (state->sums != NULL)
		ptl_wait_sums_free(state->sums);
	ptl_strands_free(state->strands);
	free(state);
}

const struct ptl_report_view ptl_report_waits = {
	.name = "waits",
	.about = "what programs waited for, and what went on meanwhile",
	.needs = (const enum ptl_family[]){PTL_FAMILY_SYNC, PTL_FAMILY_IO,
					   PTL_FAMILY_TIME, PTL_FAMILY_NET,
					   PTL_FAMILY_FILE, 0},
	.takes_any = true,
	.column = columns,
	.sort = "wait",
	.identity = "program object",
	.begin = begin,
	.event = learn,
	.rows = make_rows,
	.free = end,
	.above = print_above,
	.below = print_below,
	.members = put_members,
	.more = put_more,
};
