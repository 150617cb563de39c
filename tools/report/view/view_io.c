/* SPDX-License-Identifier: MIT */
/*
 * --io: what is read and written, sent and received, by call: how much, how
 * fast, how often less than was asked for; and apart what waits for that.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/lib/hist.h"
#include "tools/report/show/json.h"
#include "tools/lib/number.h"
#include "tools/report/view/report.h"
#include "tools/report/show/screen.h"
#include "tools/model/files/uses.h"

/* Calls of one type. */
struct call {
	const char *name; /* of the event */
	bool is_poll;
	uint64_t nr, nr_short, nr_failed;
	int64_t bytes; /* -1: they are not counted */
	struct ptl_hist hist;
	size_t nr_kind[PTL_FILE_KINDS]; /* different files that it was about */
};

struct seen {
	struct call *call;
	const struct ptl_file *file;
};

struct state {
	struct ptl_files *files;
	struct ptl_hash calls;
	struct ptl_hash seen;
};

static const struct ptl_column columns[] = {
	{"CALLS", "calls", PTL_COLUMN_COUNT},
	{"BYTES", "bytes", PTL_COLUMN_BYTES},
	{"TIME", "time", PTL_COLUMN_DURATION},
	{"MB/s", "rate", PTL_COLUMN_RATE},
	{"~P50", "p50", PTL_COLUMN_DURATION},
	{"~P99", "p99", PTL_COLUMN_DURATION},
	{"MAX", "max", PTL_COLUMN_DURATION},
	{"SHORT", "short", PTL_COLUMN_COUNT},
	{"ERR", "err", PTL_COLUMN_ERRORS},
	{"CALL", "call", PTL_COLUMN_TEXT},
	{"OF", "of", PTL_COLUMN_TEXT},
	{0},
};

static const struct ptl_column poll_columns[] = {
	{"CALLS", "calls", PTL_COLUMN_COUNT},
	{"TIME", "time", PTL_COLUMN_DURATION},
	{"~P50", "p50", PTL_COLUMN_DURATION},
	{"MAX", "max", PTL_COLUMN_DURATION},
	{"ERR", "err", PTL_COLUMN_ERRORS},
	{"WAITING FOR INPUT AND OUTPUT", "call", PTL_COLUMN_TEXT},
	{0},
};

static void *begin(const struct ptl_report_settings *settings,
		   struct ptl_model *model)
{
	struct state *state = ptl_alloc(sizeof(*state));

	(void)settings;
	(void)model;
	state->files = ptl_files_new();
	state->calls.value_size = sizeof(struct call);
	state->seen.value_size = sizeof(struct seen);
	return state;
}

static struct call *get_call(struct state *state, const struct ptl_step *step)
{
	struct call *call = ptl_hash_get(&state->calls, &step->kind->name,
					 sizeof(step->kind->name));

	if (call->name != NULL)
		return call;
	call->name = step->kind->name;
	call->is_poll = step->kind->act == PTL_ACT_POLL;
	call->bytes = -1;
	return call;
}

static void see(struct ptl_hash *seen, struct call *call,
		const struct ptl_file *file)
{
	const void *key[] = {call, file};
	struct seen *pair = ptl_hash_get(seen, key, sizeof(key));

	if (pair->call != NULL)
		return;
	pair->call = call;
	pair->file = file;
}

/* Of each call the different files, as they are known after the last event. */
static void count_files(const struct state *state)
{
	struct ptl_hash merged = {.value_size = sizeof(struct seen)};
	const struct seen *pair = NULL;

	while ((pair = ptl_hash_next(&state->seen, pair)) != NULL)
		see(&merged, pair->call, ptl_file_same(pair->file));
	while ((pair = ptl_hash_next(&merged, pair)) != NULL)
		pair->call->nr_kind[pair->file->kind]++;
	ptl_hash_clear(&merged);
}

/* Less than was asked for; of those that say how much. */
static bool is_short(const struct ptl_step *step)
{
	int64_t size = ptl_step_field(step, PTL_FIELD_SIZE, -1);
	int64_t count = ptl_step_field(step, PTL_FIELD_COUNT, -1);
	int64_t ret = ptl_step_field(step, PTL_FIELD_RESULT, -1);

	switch (step->kind->act) {
	case PTL_ACT_FREAD:
	case PTL_ACT_FWRITE:
		return ret >= 0 && ret < count;
	case PTL_ACT_READ:
	case PTL_ACT_WRITE:
	case PTL_ACT_MOVE:
		return ret >= 0 && ret < size;
	default:
		return false;
	}
}

/* Which files descriptors stand for. */
static void learn_uses(void *of, const struct ptl_step *step)
{
	struct ptl_file_use use[PTL_FILE_USES];
	struct state *state = of;

	if (step->process != NULL)
		ptl_uses_learn(state->files, step, use);
}

static void learn(void *of, const struct ptl_step *step)
{
	struct ptl_file_use use[PTL_FILE_USES];
	struct state *state = of;
	struct call *call;
	unsigned int nr;

	if (step->process == NULL)
		return;
	nr = ptl_uses_learn(state->files, step, use);
	if (step->kind->family != PTL_FAMILY_IO &&
	    step->kind->family != PTL_FAMILY_NET)
		return;
	call = get_call(state, step);
	call->nr++;
	call->nr_failed += step->error != NULL;
	call->nr_short += is_short(step);
	if (step->duration >= 0)
		ptl_hist_add(&call->hist, (uint64_t)step->duration);
	/* What is moved from one file to another is counted once. */
	for (unsigned int i = 0; i < nr; i++) {
		if (use[i].file != NULL)
			see(&state->seen, call, use[i].file);
		if (i == 0 && (use[i].is_read || use[i].is_write))
			call->bytes = use[i].bytes +
				      (call->bytes < 0 ? 0 : call->bytes);
	}
}

/* "21 files, 2 pipes" */
static const char *files_of(const struct call *call)
{
	char text[256];
	size_t used = 0;

	text[0] = '\0';
	for (int i = 0; i < PTL_FILE_KINDS; i++) {
		size_t nr = call->nr_kind[i];

		if (nr == 0)
			continue;
		used += (size_t)snprintf(
			text + used, sizeof(text) - used, "%s%zu %s%s",
			used > 0 ? ", " : "", nr,
			ptl_file_kind_name((enum ptl_file_kind)i),
			nr == 1 || i >= PTL_FILE_OTHER ? "" : "s");
	}
	return ptl_intern(text, sizeof(text));
}

static void make_rows(void *of, struct ptl_model *model,
		      struct ptl_table *table)
{
	struct state *state = of;
	const struct call *call = NULL;

	count_files(state);
	/* MB/s, ~P50, SHORT */
	table->spare = 1u << 3 | 1u << 4 | 1u << 7;
	while ((call = ptl_hash_next(&state->calls, call)) != NULL) {
		const struct ptl_hist *hist = &call->hist;
		struct ptl_row *row;

		if (call->is_poll)
			continue;
		row = ptl_table_row(table, call);
		row->cell[0] = ptl_cell_number((int64_t)call->nr);
		row->cell[0].is_least = model->lost > 0;
		row->cell[1] = ptl_cell_maybe(call->bytes);
		if (hist->nr > 0) {
			row->cell[2] = ptl_cell_number((int64_t)hist->sum);
			row->cell[4] =
				ptl_cell_number(ptl_hist_quantile(hist, 500));
			row->cell[5] =
				ptl_cell_number(ptl_hist_quantile(hist, 990));
			row->cell[6] = ptl_cell_number((int64_t)hist->max);
		}
		if (call->bytes > 0 && hist->sum > 0)
			row->cell[3] = ptl_cell_number(ptl_number_share(
				call->bytes, 1e9, (int64_t)hist->sum));
		if (call->bytes >= 0)
			row->cell[7] = ptl_cell_number((int64_t)call->nr_short);
		row->cell[8] = ptl_cell_number((int64_t)call->nr_failed);
		row->cell[9] = ptl_cell_text(call->name);
		row->cell[10] = ptl_cell_text(files_of(call));
	}
}

static void find_polls(const struct state *state, struct ptl_table *table)
{
	const struct call *call = NULL;

	ptl_table_begin(table, poll_columns);
	while ((call = ptl_hash_next(&state->calls, call)) != NULL) {
		const struct ptl_hist *hist = &call->hist;
		struct ptl_row *row;

		if (!call->is_poll)
			continue;
		row = ptl_table_row(table, call);
		row->cell[0] = ptl_cell_number((int64_t)call->nr);
		row->cell[4] = ptl_cell_number((int64_t)call->nr_failed);
		row->cell[5] = ptl_cell_text(call->name);
		if (hist->nr == 0)
			continue;
		row->cell[1] = ptl_cell_number((int64_t)hist->sum);
		row->cell[2] = ptl_cell_number(ptl_hist_quantile(hist, 500));
		row->cell[3] = ptl_cell_number((int64_t)hist->max);
	}
	ptl_table_sort(table, "time", SIZE_MAX);
}

static void print_above(void *of, struct ptl_model *model)
{
	(void)of;
	(void)model;
	ptl_line_words(
		"TIME is wall time in the calls, over all threads; MB/s is "
		"BYTES in TIME; SHORT: less than asked for");
}

static void print_after(void *of, struct ptl_model *model)
{
	struct ptl_table table;

	(void)model;
	find_polls(of, &table);
	if (table.nr > 0) {
		ptl_line_end();
		ptl_table_print(&table, NULL);
	}
	ptl_table_free(&table);
}

static void put_members(void *of, struct ptl_model *model, struct ptl_out *out)
{
	struct ptl_table table;

	(void)model;
	find_polls(of, &table);
	ptl_json_key(out, "polls", false);
	ptl_json_table(out, &table, NULL);
	ptl_table_free(&table);
}

static void end(void *of)
{
	struct state *state = of;
	struct call *call = NULL;

	while ((call = ptl_hash_next(&state->calls, call)) != NULL)
		ptl_hist_free(&call->hist);
	ptl_files_free(state->files);
	ptl_hash_clear(&state->calls);
	ptl_hash_clear(&state->seen);
	free(state);
}

const struct ptl_report_view ptl_report_io = {
	.name = "io",
	.about = "input and output by call: bytes, time, how fast",
	.needs = (const enum ptl_family[]){PTL_FAMILY_IO, PTL_FAMILY_NET, 0},
	.takes_any = true,
	.column = columns,
	.sort = "time",
	.identity = "call",
	.begin = begin,
	.event = learn,
	.learn = learn_uses,
	.rows = make_rows,
	.free = end,
	.above = print_above,
	.after = print_after,
	.members = put_members,
};
