/* SPDX-License-Identifier: MIT */
/* --cpu: where the processor's time went, by samples: which functions it was
 * in, and which had called them. */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/lib/number.h"
#include "tools/lib/say.h"
#include "tools/report/model/samples.h"
#include "tools/report/show/json.h"
#include "tools/report/view/report.h"
#include "tools/report/show/screen.h"

static const struct ptl_column columns[] = {
	{"SELF", "self", PTL_COLUMN_DURATION},
	{"SELF%", "self_permille", PTL_COLUMN_PERMILLE},
	{"TOTAL", "total", PTL_COLUMN_DURATION},
	{"TOTAL%", "total_permille", PTL_COLUMN_PERMILLE},
	{"FUNCTION (MODULE)", "function", PTL_COLUMN_TEXT},
	{0},
};

static void *begin(const struct ptl_report_settings *settings,
		   struct ptl_model *model)
{
	struct ptl_samples *samples = ptl_alloc(sizeof(*samples));

	(void)settings;
	(void)model;
	ptl_samples_begin(samples);
	return samples;
}

static void learn(void *of, const struct ptl_step *step)
{
	ptl_samples_learn(of, step);
}

static void make_rows(void *of, struct ptl_model *model,
		      struct ptl_table *table)
{
	struct ptl_samples *samples = of;

	(void)model;
	ptl_samples_find(samples);
	for (size_t i = 0; i < samples->nr_functions; i++) {
		const struct ptl_sampled_function *function =
			&samples->function[i];
		struct ptl_row *row = ptl_table_row(table, NULL);

		row->cell[0] = ptl_cell_number(function->self);
		row->cell[2] = ptl_cell_number(function->total);
		row->cell[4] = ptl_cell_text(function->name);
		if (samples->all == 0)
			continue;
		row->cell[1] = ptl_cell_number(
			ptl_number_share(function->self, 1000, samples->all));
		row->cell[3] = ptl_cell_number(
			ptl_number_share(function->total, 1000, samples->all));
	}
}

static void print_above(void *of, struct ptl_model *model)
{
	const struct ptl_samples *samples = of;
	char count[PTL_NUMBER_SIZE], time[PTL_NUMBER_SIZE];

	(void)model;
	if (samples->nr == 0)
		return;
	ptl_line("%s sample%s", ptl_number_count(count, samples->nr),
		 samples->nr == 1 ? "" : "s");
	if (samples->hz > 0)
		ptl_line(" at %" PRId64 " Hz", samples->hz);
	ptl_line(": %s of processor time%s",
		 ptl_number_duration(time, samples->all),
		 samples->has_kernel ? "" : " outside of the kernel");
	ptl_line_end();
	ptl_line_words("SELF is in the function, TOTAL also in what it called");
}

static void print_reasons(const struct ptl_samples *samples)
{
	if (samples->nr_secure > 0) {
		ptl_line("not sampled: ");
		ptl_line_name(samples->secure);
		ptl_line_end_more(samples->nr_secure);
	}
	if (samples->nr_partly > 0) {
		ptl_line("sampled in part: ");
		ptl_line_name(ptl_process_program(samples->partly));
		ptl_line("[%d]: ", (int)samples->partly->pid);
		ptl_line_name(samples->partly_why);
		ptl_line_end_more(samples->nr_partly);
	}
}

static void print_after(void *of, struct ptl_model *model)
{
	const struct ptl_samples *samples = of;
	char count[PTL_NUMBER_SIZE];

	(void)model;
	if (samples->cut > 0) {
		ptl_line("of %s sample%s the outer end of the stack is not "
			 "known",
			 ptl_number_count(count, samples->cut),
			 samples->cut == 1 ? "" : "s");
		ptl_line_end();
	}
	print_reasons(samples);
	if (samples->lost > 0) {
		ptl_line("%s sample%s lost",
			 ptl_number_count(count, samples->lost),
			 samples->lost == 1 ? " was" : "s were");
		ptl_line_end();
	}
}

static void put_members(void *of, struct ptl_model *model, struct ptl_out *out)
{
	const struct ptl_samples *samples = of;

	(void)model;
	ptl_json_number(out, "hz", samples->hz);
	ptl_json_number(out, "samples", samples->nr);
	ptl_json_number(out, "samples_cut", samples->cut);
	ptl_json_number(out, "samples_lost", samples->lost);
	ptl_json_number(out, "not_sampled", samples->nr_secure);
	ptl_json_number(out, "sampled_in_part", samples->nr_partly);
}

static void end(void *of)
{
	ptl_samples_free(of);
	free(of);
}

const struct ptl_report_view ptl_report_cpu = {
	.name = "cpu",
	.about = "functions that computed, by samples of stacks",
	.needs = (const enum ptl_family[]){PTL_FAMILY_CPU, 0},
	.column = columns,
	.sort = "self",
	.identity = "function",
	.begin = begin,
	.event = learn,
	.rows = make_rows,
	.free = end,
	.above = print_above,
	.after = print_after,
	.members = put_members,
};
