/* SPDX-License-Identifier: MIT */
/*
 * The default page: where the time went.  The tree of processes, how many were
 * at work at a time, programs, what failed, and what was waited for longest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/report/model/off_cpu.h"
#include "tools/report/model/samples.h"
#include "tools/report/show/json.h"
#include "tools/lib/number.h"
#include "tools/report/view/off_line.h"
#include "tools/report/view/parallel.h"
#include "tools/report/view/report.h"
#include "tools/report/show/screen.h"
#include "tools/report/view/spans.h"
#include "tools/report/view/values.h"
#include "tools/report/view/tree.h"

/* Rows of the tables behind that of programs. */
#define FEW 5
#define FEW_FUNCTIONS 3

/* Events of one type that failed with one error in one program. */
struct failure {
	const char *name, *error;
	const struct ptl_label *program;
	uint64_t nr;
};

/* Calls of one type, in one program, at one place. */
struct wait {
	const char *name;
	const struct ptl_label *program;
	const struct ptl_site *site;
	uint64_t nr;
	int64_t sum, longest, longest_at;
};

struct state {
	struct ptl_hash failures, waits;
	struct ptl_samples samples;
	struct ptl_off_cpu *off; /* NULL: nothing of it was recorded */
	struct ptl_span_sums spans;
	struct ptl_value_sums values;
};

static const struct ptl_column columns[] = {
	{"SELF", "self", PTL_COLUMN_DURATION},
	{"WALL", "wall", PTL_COLUMN_DURATION},
	{"CPU", "cpu", PTL_COLUMN_DURATION},
	{"MAXRSS", "maxrss", PTL_COLUMN_BYTES},
	{"RUNS", "runs", PTL_COLUMN_COUNT},
	{"FAILED", "failed", PTL_COLUMN_ERRORS},
	{"PROGRAM  (WALL: sum of its runs, SELF: while no child ran)",
	 "program", PTL_COLUMN_TEXT},
	{0},
};

static const struct ptl_column failure_columns[] = {
	{"FAILED", "count", PTL_COLUMN_COUNT},
	{"EVENT", "event", PTL_COLUMN_TEXT},
	{"ERROR", "error", PTL_COLUMN_TEXT},
	{"PROGRAM", "program", PTL_COLUMN_TEXT},
	{0},
};

static const struct ptl_column wait_columns[] = {
	{"LONGEST", "longest", PTL_COLUMN_DURATION},
	{"AT(s)", "at", PTL_COLUMN_TIME},
	{"CALLS", "calls", PTL_COLUMN_COUNT},
	{"TOTAL", "total", PTL_COLUMN_DURATION},
	{"EVENT", "event", PTL_COLUMN_TEXT},
	{"PROGRAM", "program", PTL_COLUMN_TEXT},
	{"CALLED AT", "site", PTL_COLUMN_TEXT},
	{0},
};

static void *begin(const struct ptl_report_settings *settings,
		   struct ptl_model *model)
{
	struct state *state = ptl_alloc(sizeof(*state));

	(void)settings;
	(void)model;
	state->failures.value_size = sizeof(struct failure);
	state->waits.value_size = sizeof(struct wait);
	ptl_samples_begin(&state->samples);
	ptl_span_sums_begin(&state->spans);
	ptl_value_sums_begin(&state->values);
	return state;
}

static void add_failure(struct ptl_hash *failures, const struct failure *more)
{
	const void *key[] = {more->name, more->error, more->program};
	struct failure *failure = ptl_hash_get(failures, key, sizeof(key));
	uint64_t nr = failure->nr + more->nr;

	*failure = *more;
	failure->nr = nr;
}

/* Signals have a row each, and all statuses one. */
static void add_exit(struct ptl_hash *failures,
		     const struct ptl_process *process)
{
	struct failure more = {"process:exit", "status not 0",
			       ptl_label_same(process->label), 1};
	char exit[16];

	if (process->signal > 0)
		more.error = ptl_intern(ptl_process_exit(process, exit),
					sizeof(exit));
	add_failure(failures, &more);
}

static void add_wait(struct ptl_hash *waits, const struct wait *more)
{
	const void *key[] = {more->name, more->program, more->site};
	struct wait *wait = ptl_hash_get(waits, key, sizeof(key)), old = *wait;

	*wait = *more;
	wait->nr += old.nr;
	wait->sum += old.sum;
	if (old.nr > 0 && old.longest >= more->longest) {
		wait->longest = old.longest;
		wait->longest_at = old.longest_at;
	}
}

/* Most events are none of these: asked here, it costs them least. */
static void learn_seldom(struct state *state, const struct ptl_step *step)
{
	if (step->kind->family == PTL_FAMILY_CPU)
		ptl_samples_learn(&state->samples, step);
	else if (step->kind->family == PTL_FAMILY_SCHED && state->off == NULL)
		state->off = ptl_off_cpu_new();
	if (state->off != NULL)
		ptl_off_cpu_learn(state->off, step);
	if (step->span != NULL)
		ptl_span_sums_learn(&state->spans, step);
	if (ptl_series_any(step))
		ptl_value_sums_learn(&state->values, step);
}

static void learn(void *of, const struct ptl_step *step)
{
	struct state *state = of;

	learn_seldom(state, step);
	if (step->process == NULL)
		return;
	if (step->error != NULL)
		add_failure(&state->failures,
			    &(struct failure){step->kind->name,
					      ptl_step_error(step),
					      step->process->label, 1});
	switch (step->kind->family) {
	case PTL_FAMILY_FILE:
	case PTL_FAMILY_IO:
	case PTL_FAMILY_SYNC:
	case PTL_FAMILY_TIME:
	case PTL_FAMILY_NET:
		if (step->duration > 0)
			add_wait(&state->waits,
				 &(struct wait){step->kind->name,
						step->process->label,
						ptl_model_site(step), 1,
						step->duration, step->duration,
						step->now});
		break;
	default:
		break;
	}
}

/* Runs of one program. */
struct runs {
	int64_t self, wall, cpu, maxrss;
	uint64_t nr, nr_failed;
	bool is_wall_least, is_cpu_least;
};

/* What a process used is told when it ends: it counts for what it ran then. */
static void add_last(struct runs *program, const struct ptl_process *process)
{
	int64_t cpu = ptl_process_cpu(process);

	if (cpu < 0)
		program->is_cpu_least = true;
	else
		program->cpu = cpu + (program->cpu < 0 ? 0 : program->cpu);
	if (process->maxrss_kib * 1024 > program->maxrss)
		program->maxrss = process->maxrss_kib * 1024;
	program->is_wall_least |= !process->is_ended;
	program->nr_failed += ptl_process_failed(process);
}

static struct runs *get_program(struct ptl_hash *programs, const char *name)
{
	struct runs *program = ptl_hash_get(programs, &name, sizeof(name));

	if (program->nr++ == 0)
		program->cpu = program->maxrss = -1;
	return program;
}

/* A child that executes nothing runs its parent's program. */
static void add_process(struct ptl_hash *programs,
			const struct ptl_process *process)
{
	struct runs *program;

	if (process->image == NULL) {
		program = get_program(programs, ptl_process_program(process));
		program->wall += process->end - process->begin;
		program->self += ptl_parallel_alone(process, process->begin,
						    process->end);
		program->is_wall_least |= !process->is_begun;
		add_last(program, process);
	}
	for (const struct ptl_program *image = process->image; image != NULL;
	     image = image->next) {
		program = get_program(programs, image->program);
		program->wall += image->end - image->begin;
		program->self +=
			ptl_parallel_alone(process, image->begin, image->end);
		if (image == process->image)
			program->is_wall_least |= !process->is_begun;
		if (image->next == NULL)
			add_last(program, process);
	}
}

static void make_rows(void *of, struct ptl_model *model,
		      struct ptl_table *table)
{
	struct ptl_hash programs = {.value_size = sizeof(struct runs)};
	const struct runs *program = NULL;
	const char *const *name;

	(void)of;
	for (const struct ptl_process *process =
		     ptl_processes_first_traced(model->processes);
	     process != NULL; process = ptl_process_next_traced(process))
		add_process(&programs, process);
	while ((program = ptl_hash_next(&programs, program)) != NULL) {
		struct ptl_row *row = ptl_table_row(table, NULL);

		name = ptl_hash_key(&programs, program);
		row->cell[0] = ptl_cell_number(program->self);
		row->cell[0].is_least = program->is_wall_least;
		row->cell[1] = ptl_cell_number(program->wall);
		row->cell[1].is_least = program->is_wall_least;
		row->cell[2] = ptl_cell_maybe(program->cpu);
		row->cell[2].is_least = program->is_cpu_least;
		row->cell[3] = ptl_cell_maybe(program->maxrss);
		row->cell[4] = ptl_cell_number((int64_t)program->nr);
		row->cell[5] = ptl_cell_number((int64_t)program->nr_failed);
		row->cell[6] = ptl_cell_text(*name);
	}
	ptl_hash_clear(&programs);
}

/* What failed, and programs that did. */
static void find_failures(const struct state *state,
			  const struct ptl_model *model,
			  struct ptl_table *table, size_t top)
{
	const struct ptl_process *process =
		ptl_processes_first_traced(model->processes);
	struct ptl_hash merged = {.value_size = sizeof(struct failure)};
	const struct failure *failure = NULL;
	struct failure more;

	while ((failure = ptl_hash_next(&state->failures, failure)) != NULL) {
		more = *failure;
		more.program = ptl_label_same(failure->program);
		add_failure(&merged, &more);
	}
	for (; process != NULL; process = ptl_process_next_traced(process))
		if (ptl_process_failed(process))
			add_exit(&merged, process);
	ptl_table_begin(table, failure_columns);
	table->all_by = "--json";
	while ((failure = ptl_hash_next(&merged, failure)) != NULL) {
		struct ptl_row *row = ptl_table_row(table, NULL);

		row->cell[0] = ptl_cell_number((int64_t)failure->nr);
		row->cell[1] = ptl_cell_text(failure->name);
		row->cell[2] = ptl_cell_text(failure->error);
		row->cell[3] = ptl_cell_text(ptl_label_name(failure->program));
	}
	ptl_table_sort(table, "count", top);
	ptl_hash_clear(&merged);
}

static void find_waits(const struct state *state, struct ptl_table *table,
		       size_t top)
{
	struct ptl_hash merged = {.value_size = sizeof(struct wait)};
	const struct wait *wait = NULL;
	struct wait more;

	while ((wait = ptl_hash_next(&state->waits, wait)) != NULL) {
		more = *wait;
		more.program = ptl_label_same(wait->program);
		add_wait(&merged, &more);
	}
	ptl_table_begin(table, wait_columns);
	table->all_by = "--json";
	while ((wait = ptl_hash_next(&merged, wait)) != NULL) {
		struct ptl_row *row = ptl_table_row(table, NULL);

		row->cell[0] = ptl_cell_number(wait->longest);
		row->cell[1] = ptl_cell_number(wait->longest_at);
		row->cell[2] = ptl_cell_number((int64_t)wait->nr);
		row->cell[3] = ptl_cell_number(wait->sum);
		row->cell[4] = ptl_cell_text(wait->name);
		row->cell[5] = ptl_cell_text(ptl_label_name(wait->program));
		row->cell[6] = ptl_cell_text(wait->site->name);
	}
	ptl_table_sort(table, "longest", top);
	ptl_hash_clear(&merged);
}

static void print_parallel(const struct ptl_model *model)
{
	static const char *const bars[] = {"▁", "▂", "▃", "▄",
					   "▅", "▆", "▇", "█"};
	struct ptl_parallel parallel;
	char buf[PTL_NUMBER_SIZE];
	int64_t whole;

	ptl_parallel_find(&parallel, model);
	whole = parallel.slot_size * (int64_t)parallel.max;
	if (whole == 0)
		return;
	ptl_line("at work  ");
	for (int i = 0; i < PTL_PARALLEL_SLOTS; i++) {
		int64_t level = (parallel.slot[i] * 8 + whole - 1) / whole;

		ptl_line("%s", parallel.slot[i] == 0 ? " " :
			       level > 8	     ? bars[7] :
						       bars[level - 1]);
	}
	ptl_line("  mean %.1f, at most %s at a time",
		 (double)parallel.busy / (double)ptl_model_wall(model),
		 ptl_number_count(buf, (int64_t)parallel.max));
	ptl_line_end();
	ptl_line("         (a process is at work while no child of it runs)");
	ptl_line_end();
}

/* The functions that computed most, if there are samples. */
static void print_samples(struct ptl_samples *samples)
{
	char count[PTL_NUMBER_SIZE], share[PTL_NUMBER_SIZE];

	if (samples->all == 0)
		return;
	ptl_samples_find(samples);
	ptl_line("CPU    ");
	for (size_t i = 0; i < samples->nr_functions && i < FEW_FUNCTIONS;
	     i++) {
		ptl_line("  %s ",
			 ptl_number_percent(
				 share,
				 ptl_number_share(samples->function[i].self,
						  1000, samples->all)));
		ptl_line_name(samples->function[i].name);
	}
	ptl_line("   (%s sample%s; --cpu has all)",
		 ptl_number_count(count, samples->nr),
		 samples->nr == 1 ? "" : "s");
	ptl_line_end();
}

static void print_above(void *of, struct ptl_model *model)
{
	struct state *state = of;

	ptl_line_end();
	ptl_tree_print(model);
	ptl_line_end();
	print_parallel(model);
	print_samples(&state->samples);
	if (state->off != NULL)
		ptl_off_line_print(state->off);
}

static void print_table(const struct ptl_table *table, const char *title)
{
	if (table->nr == 0)
		return;
	ptl_line_end();
	ptl_line("%s", title);
	ptl_line_end();
	ptl_table_print(table, NULL);
}

static void print_said(struct state *state, struct ptl_model *model)
{
	struct ptl_table table;

	ptl_spans_find(&state->spans, model, &table, FEW);
	print_table(&table, "what programs say of themselves");
	ptl_table_free(&table);
	ptl_values_find(&state->values, model, &table, FEW);
	print_table(&table, "gauges and counters of programs");
	ptl_table_free(&table);
}

static void print_after(void *of, struct ptl_model *model)
{
	struct ptl_table table;

	print_said(of, model);
	find_failures(of, model, &table, FEW);
	print_table(&table, "what failed most often");
	ptl_table_free(&table);
	find_waits(of, &table, FEW);
	print_table(&table, "calls of libc that took longest, with all from "
			    "the same place");
	ptl_table_free(&table);
	ptl_line_end();
}

static void put_parallel(const struct ptl_model *model, struct ptl_out *out)
{
	struct ptl_parallel parallel;

	ptl_parallel_find(&parallel, model);
	ptl_json_key(out, "at_work", false);
	ptl_out_char(out, '{');
	ptl_json_key(out, "max", true);
	ptl_out_uint(out, parallel.max);
	ptl_json_number(out, "sum", parallel.busy);
	ptl_json_number(out, "slot", parallel.slot_size);
	ptl_json_key(out, "slots", false);
	for (int i = 0; i < PTL_PARALLEL_SLOTS; i++) {
		ptl_out_char(out, i == 0 ? '[' : ',');
		ptl_out_int(out, parallel.slot[i]);
	}
	ptl_out_str(out, "]}");
}

static void put_members(void *of, struct ptl_model *model, struct ptl_out *out)
{
	struct ptl_table table;

	put_parallel(model, out);
	find_failures(of, model, &table, SIZE_MAX);
	ptl_json_key(out, "failures", false);
	ptl_json_table(out, &table, NULL);
	ptl_table_free(&table);
	find_waits(of, &table, SIZE_MAX);
	ptl_json_key(out, "waits", false);
	ptl_json_table(out, &table, NULL);
	ptl_table_free(&table);
	ptl_spans_find(&((struct state *)of)->spans, model, &table, SIZE_MAX);
	if (table.nr > 0) {
		ptl_json_key(out, "spans", false);
		ptl_json_table(out, &table, NULL);
	}
	ptl_table_free(&table);
	ptl_values_find(&((struct state *)of)->values, model, &table, SIZE_MAX);
	if (table.nr > 0) {
		ptl_json_key(out, "values", false);
		ptl_json_table(out, &table, NULL);
	}
	ptl_table_free(&table);
}

static void end(void *of)
{
	struct state *state = of;

	ptl_hash_clear(&state->failures);
	ptl_hash_clear(&state->waits);
	ptl_samples_free(&state->samples);
	if (state->off != NULL)
		ptl_off_cpu_free(state->off);
	ptl_span_sums_free(&state->spans);
	ptl_value_sums_free(&state->values);
	free(state);
}

const struct ptl_report_view ptl_report_default = {
	.needs = (const enum ptl_family[]){PTL_FAMILY_PROCESS, PTL_FAMILY_FILE,
					   PTL_FAMILY_IO, PTL_FAMILY_NET,
					   PTL_FAMILY_SYNC, PTL_FAMILY_TIME, 0},
	.column = columns,
	.sort = "self",
	.identity = "program",
	.begin = begin,
	.event = learn,
	.rows = make_rows,
	.free = end,
	.above = print_above,
	.after = print_after,
	.members = put_members,
};
