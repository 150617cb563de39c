/* SPDX-License-Identifier: MIT */
/*
 * --locks: mutexes and the like: how often they were waited for, where, and who
 * had them; and apart from them what is only waited for.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/report/show/json.h"
#include "tools/report/model/locks.h"
#include "tools/lib/number.h"
#include "tools/report/view/report.h"
#include "tools/report/show/screen.h"

/* Places in text, of each kind. */
#define FEW 3

static const struct ptl_column columns[] = {
	{"CALLS", "calls", PTL_COLUMN_COUNT},
	{"CONTENDED", "contended", PTL_COLUMN_COUNT},
	{"%CALLS", NULL, PTL_COLUMN_PERMILLE},
	{"WAIT", "wait", PTL_COLUMN_DURATION},
	{"~P99", "p99", PTL_COLUMN_DURATION},
	{"MAX", "max", PTL_COLUMN_DURATION},
	{"HELD", "held", PTL_COLUMN_DURATION},
	{"LOCK", "lock", PTL_COLUMN_TEXT},
	{0},
};

static const struct ptl_column wait_columns[] = {
	{"WAITS", "waits", PTL_COLUMN_COUNT},
	{"WAIT", "wait", PTL_COLUMN_DURATION},
	{"~P99", "p99", PTL_COLUMN_DURATION},
	{"MAX", "max", PTL_COLUMN_DURATION},
	{"WAITED FOR (that is not contention)", "object", PTL_COLUMN_TEXT},
	{0},
};

static void *begin(const struct ptl_report_settings *settings,
		   struct ptl_model *model)
{
	(void)settings;
	(void)model;
	return ptl_locks_new();
}

static void learn(void *of, const struct ptl_step *step)
{
	ptl_locks_learn(of, step);
}

/* "mutex &big (worker) of worker[12]", or by its address and where it was
 * used first. */
static const char *name_of(const struct ptl_seen_lock *lock)
{
	char text[1024];

	if (lock->place != NULL)
		snprintf(text, sizeof(text), "%s %.400s of %.200s[%d]",
			 lock->kind, lock->place,
			 ptl_process_program(lock->process),
			 lock->process->pid);
	else
		snprintf(text, sizeof(text),
			 "%s 0x%llx of %.200s[%d], first at %.400s", lock->kind,
			 (unsigned long long)lock->address,
			 ptl_process_program(lock->process), lock->process->pid,
			 lock->first->name);
	return ptl_intern(text, sizeof(text));
}

static void put_waits(struct ptl_row *row, size_t at,
		      const struct ptl_hist *wait)
{
	row->cell[at] = ptl_cell_number((int64_t)wait->sum);
	if (wait->nr == 0)
		return;
	row->cell[at + 1] = ptl_cell_number(ptl_hist_quantile(wait, 990));
	row->cell[at + 2] = ptl_cell_number((int64_t)wait->max);
}

static void make_rows(void *of, struct ptl_model *model,
		      struct ptl_table *table)
{
	const struct ptl_seen_lock *lock = NULL;

	ptl_locks_end(of);
	while ((lock = ptl_locks_next(of, lock)) != NULL) {
		struct ptl_row *row;

		if (ptl_lock_is_condition(lock) || lock->nr == 0)
			continue;
		row = ptl_table_row(table, lock);
		row->cell[0] = ptl_cell_number((int64_t)lock->nr);
		row->cell[0].is_least = model->lost > 0;
		row->cell[1] = ptl_cell_number((int64_t)lock->nr_contended);
		row->cell[2] = ptl_cell_number(
			(int64_t)(lock->nr_contended * 1000 / lock->nr));
		put_waits(row, 3, &lock->wait);
		if (model->lost == 0)
			row->cell[6] = ptl_cell_maybe(lock->held);
		row->cell[6].is_least = lock->is_held_least;
		row->cell[7] = ptl_cell_text(name_of(lock));
	}
}

static void find_waits(const struct ptl_locks *locks, struct ptl_table *table,
		       size_t top)
{
	const struct ptl_seen_lock *lock = NULL;

	ptl_table_begin(table, wait_columns);
	table->all_by = "--json";
	while ((lock = ptl_locks_next(locks, lock)) != NULL) {
		struct ptl_row *row;

		if (!ptl_lock_is_condition(lock) || lock->nr == 0)
			continue;
		row = ptl_table_row(table, lock);
		row->cell[0] = ptl_cell_number((int64_t)lock->nr);
		put_waits(row, 1, &lock->wait);
		row->cell[4] = ptl_cell_text(name_of(lock));
	}
	ptl_table_sort(table, "wait", top);
}

static int compare_places(const void *left, const void *right)
{
	const struct ptl_lock_place *a = *(struct ptl_lock_place *const *)left;
	const struct ptl_lock_place *b = *(struct ptl_lock_place *const *)right;

	if (a->wait != b->wait)
		return a->wait > b->wait ? -1 : 1;
	return strcmp(a->site->name, b->site->name);
}

/* The places of a list in an array, the longest waits first. */
static const struct ptl_lock_place **
sort_places(const struct ptl_lock_place *first, size_t *nr)
{
	const struct ptl_lock_place *place, **sorted;
	size_t i = 0;

	*nr = 0;
	for (place = first; place != NULL; place = place->next)
		++*nr;
	sorted = ptl_alloc((*nr + 1) * sizeof(const struct ptl_lock_place *));
	for (place = first; place != NULL; place = place->next)
		sorted[i++] = place;
	qsort(sorted, *nr, sizeof(const struct ptl_lock_place *),
	      compare_places);
	return sorted;
}

static void print_places(const struct ptl_lock_place *first, const char *what,
			 uint64_t whole, size_t column)
{
	char wait[PTL_NUMBER_SIZE], count[PTL_NUMBER_SIZE];
	size_t nr;
	const struct ptl_lock_place **place = sort_places(first, &nr);

	for (size_t i = 0; i < nr && i < FEW; i++) {
		ptl_line_to(column);
		ptl_line("  %s ", what);
		ptl_line_name(place[i]->site->name);
		ptl_line("  %s× %s",
			 ptl_number_count(count,
					  (int64_t)(place[i]->holds > 0 ?
							    place[i]->holds :
							    place[i]->nr)),
			 ptl_number_duration(wait, place[i]->wait));
		if (whole > 0)
			ptl_line(" %.0f%% of WAIT",
				 100 * (double)place[i]->wait / (double)whole);
		ptl_line_end();
	}
	if (nr > FEW) {
		ptl_line_to(column);
		ptl_line("  and at %zu more", nr - FEW);
		ptl_line_end();
	}
	free(place);
}

static void print_below(const void *row_of, size_t column)
{
	const struct ptl_seen_lock *lock = row_of;

	print_places(lock->waited, "waited at", 0, column);
	print_places(lock->holders, "taken meanwhile at", lock->wait.sum,
		     column);
}

static void print_after(void *of, struct ptl_model *model)
{
	struct ptl_table table;

	(void)model;
	find_waits(of, &table, 10);
	if (table.nr > 0) {
		ptl_line_end();
		ptl_table_print(&table, NULL);
	}
	ptl_table_free(&table);
}

static void put_places(struct ptl_out *out, const char *key,
		       const struct ptl_lock_place *first)
{
	size_t nr;
	const struct ptl_lock_place **place = sort_places(first, &nr);

	ptl_json_key(out, key, false);
	ptl_out_char(out, '[');
	for (size_t i = 0; i < nr; i++) {
		ptl_out_str(out, i > 0 ? ",{" : "{");
		ptl_json_key(out, "waits", true);
		ptl_out_uint(out, place[i]->nr);
		if (place[i]->holds > 0)
			ptl_json_number(out, "holds", (int64_t)place[i]->holds);
		ptl_json_number(out, "wait", place[i]->wait);
		ptl_json_text(out, "site", place[i]->site->name);
		ptl_out_char(out, '}');
	}
	ptl_out_char(out, ']');
	free(place);
}

static void put_more(struct ptl_out *out, const void *row_of)
{
	const struct ptl_seen_lock *lock = row_of;
	char address[32];

	snprintf(address, sizeof(address), "0x%llx",
		 (unsigned long long)lock->address);
	ptl_json_text(out, "kind", lock->kind);
	ptl_json_text(out, "address", address);
	ptl_json_number(out, "pid", lock->process->pid);
	ptl_json_text(out, "program", ptl_process_program(lock->process));
	ptl_json_number(out, "busy", (int64_t)lock->nr_busy);
	ptl_json_text(out, "first", lock->first->name);
	put_places(out, "waited", lock->waited);
	put_places(out, "holders", lock->holders);
}

static void put_members(void *of, struct ptl_model *model, struct ptl_out *out)
{
	struct ptl_table table;

	(void)model;
	find_waits(of, &table, SIZE_MAX);
	ptl_json_key(out, "waits", false);
	ptl_json_table(out, &table, put_more);
	ptl_table_free(&table);
}

static void end(void *of)
{
	ptl_locks_free(of);
}

const struct ptl_report_view ptl_report_locks = {
	.name = "locks",
	.about = "locks: how long they were waited for and held, and where",
	.needs = (const enum ptl_family[]){PTL_FAMILY_SYNC, 0},
	.column = columns,
	.sort = "wait",
	.identity = "lock",
	.begin = begin,
	.event = learn,
	.rows = make_rows,
	.free = end,
	.after = print_after,
	.below = print_below,
	.members = put_members,
	.more = put_more,
};
