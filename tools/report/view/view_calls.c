/* SPDX-License-Identifier: MIT */
/*
 * --calls: functions and calls of libc: how often, how long, in themselves and
 * with what they call; and who calls them.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/report/show/json.h"
#include "tools/report/model/nests.h"
#include "tools/lib/number.h"
#include "tools/report/view/report.h"
#include "tools/report/show/screen.h"

/* Callers of a function in text. */
#define FEW 5

/* Why there are calls whose end nobody could record. */
#define MOST_REASONS 4
#define ENTRY_ONLY "entry only: "

/* Calls of a function from one place. */
struct caller {
	const struct ptl_function *function;
	const struct ptl_site *site;
	uint64_t nr;
	int64_t total; /* ns; -1: not known */
};

struct state {
	struct ptl_nests nests;
	bool wants_callers;
	struct ptl_hash callers;
	const char *reason[MOST_REASONS];
	uint64_t nr_entries;

	/* After the last event: those of each function together, the most
	 * frequent first. */
	struct caller *caller;
	size_t nr_callers;
};

/* What a row is about. */
struct row {
	const struct ptl_function *function;
	const struct caller *caller;
	size_t nr_callers;
};

static const struct ptl_column columns[] = {
	{"CALLS", "calls", PTL_COLUMN_COUNT},
	{"TOTAL", "total", PTL_COLUMN_DURATION},
	{"SELF", "self", PTL_COLUMN_DURATION},
	{"~P50", "p50", PTL_COLUMN_DURATION},
	{"~P99", "p99", PTL_COLUMN_DURATION},
	{"MAX", "max", PTL_COLUMN_DURATION},
	{"ERR", "err", PTL_COLUMN_ERRORS},
	{"LIBRARY", "library", PTL_COLUMN_TEXT},
	{"FUNCTION", "function", PTL_COLUMN_TEXT},
	{0},
};

static void add_caller(void *of, const struct ptl_step *step,
		       const struct ptl_frame *outer, struct ptl_frame *frame)
{
	struct state *state = of;
	const void *key[] = {frame->function, ptl_model_site(step)};
	struct caller *caller = ptl_hash_get(&state->callers, key, sizeof(key));

	(void)outer;
	if (caller->nr++ == 0)
		caller->total = -1;
	caller->function = frame->function;
	caller->site = key[1];
	frame->of = caller;
}

static void add_total(void *of_frame, int64_t duration)
{
	struct caller *caller = of_frame;

	caller->total = duration + (caller->total < 0 ? 0 : caller->total);
}

static void add_summary(void *of, const struct ptl_step *step,
			const struct ptl_function *function, uint64_t nr,
			int64_t total)
{
	struct state *state = of;
	const void *key[] = {function, ptl_model_site(step)};
	struct caller *caller = ptl_hash_get(&state->callers, key, sizeof(key));

	if (caller->function == NULL)
		caller->total = -1;
	caller->function = function;
	caller->site = key[1];
	caller->nr += nr;
	if (total < 0)
		return;
	caller->total = caller->total < 0 ? 0 : caller->total;
	ptl_nests_add_time(&caller->total, total);
}

static void *begin(const struct ptl_report_settings *settings,
		   struct ptl_model *model)
{
	struct state *state = ptl_alloc(sizeof(*state));

	state->nests.of = state;
	state->wants_callers = settings->wants_callers;
	state->callers.value_size = sizeof(struct caller);
	if (state->wants_callers) {
		state->nests.enter = add_caller;
		state->nests.total = add_total;
		state->nests.summary = add_summary;
	}
	ptl_nests_begin(&state->nests, model);
	return state;
}

/* Each once. */
static void learn_reason(struct state *state, const char *reason)
{
	if (reason == NULL ||
	    strncmp(reason, ENTRY_ONLY, sizeof(ENTRY_ONLY) - 1) != 0)
		return;
	reason += sizeof(ENTRY_ONLY) - 1;
	for (size_t i = 0; i < MOST_REASONS; i++) {
		if (state->reason[i] == NULL)
			state->reason[i] = reason;
		if (strcmp(state->reason[i], reason) == 0)
			return;
	}
}

static void learn(void *of, const struct ptl_step *step)
{
	struct state *state = of;

	ptl_nests_learn(&state->nests, step);
	if (step->kind->act == PTL_ACT_HOOKS)
		learn_reason(state, ptl_step_string(step, "reason"));
}

static int compare_callers(const void *left, const void *right)
{
	const struct caller *a = left, *b = right;

	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	if (a->nr != b->nr)
		return a->nr > b->nr ? -1 : 1;
	return strcmp(a->site->name, b->site->name);
}

static void sort_callers(struct state *state)
{
	const struct caller *caller = NULL;
	size_t nr = 0;

	state->caller =
		ptl_alloc((state->callers.nr + 1) * sizeof(*state->caller));
	while ((caller = ptl_hash_next(&state->callers, caller)) != NULL)
		state->caller[nr++] = *caller;
	qsort(state->caller, nr, sizeof(*caller), compare_callers);
	state->nr_callers = nr;
}

/* The callers of a function, as a row keeps them. */
static struct row *find_callers(const struct state *state,
				const struct ptl_function *function)
{
	struct row *row = ptl_alloc(sizeof(*row));
	size_t low = 0, high = state->nr_callers;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (state->caller[middle].function < function)
			low = middle + 1;
		else
			high = middle;
	}
	row->function = function;
	row->caller = state->caller + low;
	while (low + row->nr_callers < state->nr_callers &&
	       state->caller[low + row->nr_callers].function == function)
		row->nr_callers++;
	return row;
}

static void make_rows(void *of, struct ptl_model *model,
		      struct ptl_table *table)
{
	struct state *state = of;
	const struct ptl_function *function = NULL;

	sort_callers(state);
	while ((function = ptl_hash_next(&state->nests.functions, function)) !=
	       NULL) {
		const struct ptl_hist *hist = &function->hist;
		struct ptl_row *row;

		/* The function returned, and had been called before the trace
		 * began. */
		if (function->nr == 0)
			continue;
		row = ptl_table_row(table, find_callers(state, function));

		if (state->nests.has_ends) {
			model->open_calls +=
				function->nr_open - function->nr_entries;
			state->nr_entries += function->nr_entries;
		}
		row->cell[0] = ptl_cell_number((int64_t)function->nr);
		row->cell[0].is_least = model->lost > 0 || function->nr_hot > 0;
		row->cell[7] = ptl_cell_text(function->library);
		row->cell[8] = ptl_cell_text(function->name);
		if (function->is_libc)
			row->cell[6] =
				ptl_cell_number((int64_t)function->nr_failed);
		if (hist->nr == 0)
			continue;
		row->cell[1] = ptl_cell_number(function->total);
		row->cell[2] = ptl_cell_number(function->self);
		row->cell[3] = ptl_cell_number(ptl_hist_quantile(hist, 500));
		row->cell[4] = ptl_cell_number(ptl_hist_quantile(hist, 990));
		row->cell[5] = ptl_cell_number((int64_t)hist->max);
	}
}

/* Of a function that was called too often. */
static void print_hot(const struct ptl_function *function, size_t column)
{
	char time[PTL_NUMBER_SIZE], count[PTL_NUMBER_SIZE];

	if (function->nr_hot == 0)
		return;
	ptl_line_to(column);
	ptl_line("  recorded until %ss (--hot)",
		 ptl_number_time(time, function->hot_at));
	if (function->nr_hot > 1)
		ptl_line(" in the first of %s processes",
			 ptl_number_count(count, (int64_t)function->nr_hot));
	ptl_line_end();
}

static void print_below(const void *row_of, size_t column)
{
	const struct row *row = row_of;
	char count[PTL_NUMBER_SIZE], total[PTL_NUMBER_SIZE];

	print_hot(row->function, column);
	for (size_t i = 0; i < row->nr_callers && i < FEW; i++) {
		const struct caller *caller = &row->caller[i];

		ptl_line_to(column);
		ptl_line("  ← %s× ",
			 ptl_number_count(count, (int64_t)caller->nr));
		if (caller->total >= 0)
			ptl_line("%s ",
				 ptl_number_duration(total, caller->total));
		ptl_line_name(caller->site->name);
		ptl_line_end();
	}
	if (row->nr_callers > FEW) {
		ptl_line_to(column);
		ptl_line("  ← %zu more", row->nr_callers - FEW);
		ptl_line_end();
	}
}

static void print_above(void *of, struct ptl_model *model)
{
	(void)of;
	(void)model;
	ptl_line_words(
		"TOTAL and SELF are wall time over all threads; TOTAL is with "
		"what is called, SELF without");
}

static void print_reasons(const struct state *state)
{
	for (size_t i = 0; i < MOST_REASONS && state->reason[i] != NULL; i++)
		ptl_line("%s%s", i > 0 ? ", " : " (", state->reason[i]);
	ptl_line(state->reason[0] != NULL ? ")" : "");
	ptl_line_end();
}

/* In sums they are not told from others without an end. */
static void print_entries(const struct state *state, uint64_t nr_open)
{
	char count[PTL_NUMBER_SIZE];

	if (state->nr_entries > 0)
		ptl_line("how long is not known of %s call%s: only their entry "
			 "can be traced",
			 ptl_number_count(count, (int64_t)state->nr_entries),
			 state->nr_entries == 1 ? "" : "s");
	else if (state->reason[0] != NULL && nr_open > 0)
		ptl_line("of some functions only the entry can be traced");
	else
		return;
	print_reasons(state);
}

static void print_after(void *of, struct ptl_model *model)
{
	const struct state *state = of;

	if (state->nests.has_begins && !state->nests.has_ends)
		ptl_line_words(
			"no function returned, or no returns were recorded: "
			"ptrace-run -r and cc -finstrument-functions record "
			"them, -l and cc -pg do not");
	if (state->nests.has_ends)
		print_entries(state, model->open_calls);
	if (model->open_calls == 0)
		return;
	ptl_line("calls without an end are in CALLS, not in the times");
	ptl_line_end();
}

static void put_more(struct ptl_out *out, const void *row_of)
{
	const struct row *row = row_of;

	ptl_json_number(out, "no_end", (int64_t)row->function->nr_open);
	ptl_json_number(out, "entry_only", (int64_t)row->function->nr_entries);
	ptl_json_maybe(out, "recorded_until",
		       row->function->nr_hot > 0 ? row->function->hot_at : -1);
	ptl_json_key(out, "callers", false);
	ptl_out_char(out, '[');
	for (size_t i = 0; i < row->nr_callers; i++) {
		ptl_out_str(out, i > 0 ? ",{" : "{");
		ptl_json_key(out, "calls", true);
		ptl_out_uint(out, row->caller[i].nr);
		ptl_json_maybe(out, "total", row->caller[i].total);
		ptl_json_text(out, "site", row->caller[i].site->name);
		ptl_out_char(out, '}');
	}
	ptl_out_char(out, ']');
}

static void end(void *of)
{
	struct state *state = of;

	ptl_nests_free(&state->nests);
	ptl_hash_clear(&state->callers);
	free(state->caller);
	free(state);
}

const struct ptl_report_view ptl_report_calls = {
	.name = "calls",
	.about = "functions and calls of libc: how often, how long",
	.needs = (const enum ptl_family[]){PTL_FAMILY_CALL, PTL_FAMILY_FILE,
					   PTL_FAMILY_IO, PTL_FAMILY_MEM,
					   PTL_FAMILY_NET, PTL_FAMILY_SYNC,
					   PTL_FAMILY_TIME, 0},
	.takes_any = true,
	.column = columns,
	.sort = "self",
	.identity = "library function",
	.begin = begin,
	.event = learn,
	.rows = make_rows,
	.free = end,
	.above = print_above,
	.after = print_after,
	.below = print_below,
	.more = put_more,
};
