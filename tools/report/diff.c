/* SPDX-License-Identifier: MIT */
/*
 * What is more in one log than in another; see diff.h.  Rows are about the same
 * if they say so in the same words, without the numbers of processes and
 * addresses, which differ each time; those of one log that say the same are
 * one. Two that differ are never compared only because they are in the same
 * place.  Of rows that only one of the two has, those are the same that are it
 * without what is made up in names of temporary files.
 */
#include "tools/report/diff.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/show/json.h"
#include "tools/report/view/notes.h"
#include "tools/lib/number.h"
#include "tools/report/diff_story.h"
#include "tools/report/page.h"
#include "tools/report/show/screen.h"

/* Smaller changes are not shown: of durations, and in permille of A. */
#define LEAST_NS 1000000
#define LEAST_PERMILLE 20

struct pair {
	bool has[2];
	bool is_least[2];
	int64_t value[2];
};

/* The numbers of a process and addresses in words are taken out. */
static const char *without_numbers(const char *words)
{
	char text[8192];
	size_t used = 0;

	while (*words != '\0' && used + 8 < sizeof(text)) {
		const char *end = words + 1;

		if (*words == '[') {
			while (isdigit((unsigned char)*end) || *end == '@')
				end++;
			if (*end == ']' && end > words + 1) {
				words = end + 1;
				continue;
			}
		} else if (strncmp(words, " 0x", 3) == 0) {
			for (end = words + 3; isxdigit((unsigned char)*end);)
				end++;
			words = end;
			continue;
		}
		text[used++] = *words++;
	}
	return ptl_intern(text, used);
}

/* What a row is about. */
static const char *identify(const struct ptl_report_view *view,
			    const struct ptl_row *row)
{
	char text[8192] = "";
	size_t used = 0;

	if (view->identify != NULL)
		return without_numbers(view->identify(row->of));
	for (size_t i = 0; view->column[i].heading != NULL; i++) {
		const char *key = view->column[i].key;
		const char *words = row->cell[i].text;

		if (key == NULL || words == NULL ||
		    !ptl_column_is_text(&view->column[i]) ||
		    strstr(view->identity, key) == NULL)
			continue;
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%s%s", used > 0 ? "  " : "", words);
		if (used >= sizeof(text))
			break;
	}
	return without_numbers(text);
}

/* The highest of several is not their sum. */
static bool is_sum(const struct ptl_column *column)
{
	static const char *const others[] = {
		"max",	"p50",	   "p99",   "maxrss", "peak",
		"rate", "threads", "start", "first",  "last"};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (strcmp(column->key, others[i]) == 0)
			return false;
	return true;
}

static void add_rows(struct ptl_hash *pairs, const struct ptl_report_view *view,
		     const struct ptl_table *table, size_t column, int which)
{
	for (size_t i = 0; i < table->nr; i++) {
		const struct ptl_cell *cell = &table->row[i].cell[column];
		const char *name = identify(view, &table->row[i]);
		struct pair *pair = ptl_hash_get(pairs, &name, sizeof(name));
		int64_t *value = &pair->value[which];

		if (!cell->is_known)
			continue;
		if (is_sum(&view->column[column]))
			*value += cell->number;
		else if (cell->number > *value)
			*value = cell->number;
		pair->has[which] = true;
		pair->is_least[which] |= cell->is_least;
	}
}

/* What is compared: what the rows would be sorted by, if it is a number. */
static size_t choose_column(const struct ptl_report_view *view,
			    const struct ptl_choices *choices)
{
	const char *key = choices->settings.sort;
	int column = key != NULL ? ptl_table_find(view->column, key) : -1;

	if (column >= 0 && !ptl_column_is_text(&view->column[column]))
		return (size_t)column;
	key = view->compared != NULL ? view->compared : view->sort;
	return (size_t)ptl_table_find(view->column, key);
}

/* A pair that only one has becomes part of that without what is made up in its
 * name, if both have such. */
static void add_folded(struct ptl_hash *folded, const struct ptl_hash *pairs,
		       bool has_sums)
{
	const struct pair *pair = NULL;

	while ((pair = ptl_hash_next(pairs, pair)) != NULL) {
		const char *const *name = ptl_hash_key(pairs, pair);
		const char *key = ptl_story_fold(*name);
		struct pair *sum;

		if (pair->has[0] == pair->has[1] || key == *name)
			continue;
		sum = ptl_hash_get(folded, &key, sizeof(key));
		for (int i = 0; i < 2; i++) {
			sum->has[i] |= pair->has[i];
			sum->is_least[i] |= pair->is_least[i];
			if (has_sums)
				sum->value[i] += pair->value[i];
			else if (pair->value[i] > sum->value[i])
				sum->value[i] = pair->value[i];
		}
	}
}

/* Is it part of such a sum? */
static bool is_folded(const struct ptl_hash *folded, const struct pair *pair,
		      const char *name)
{
	const char *key = ptl_story_fold(name);
	const struct pair *sum = ptl_hash_find(folded, &key, sizeof(key));

	return pair->has[0] != pair->has[1] && key != name && sum != NULL &&
	       sum->has[0] && sum->has[1];
}

static int64_t change(int64_t difference)
{
	return difference < 0 ? -difference : difference;
}

static void make_row(struct ptl_table *table, const struct pair *pair,
		     const char *name)
{
	struct ptl_row *row = ptl_table_row(table, pair);
	int64_t difference = pair->value[1] - pair->value[0];

	for (int i = 0; i < 2; i++) {
		if (pair->has[i])
			row->cell[i] = ptl_cell_number(pair->value[i]);
		row->cell[i].is_least = pair->is_least[i];
	}
	row->cell[2] = ptl_cell_number(difference);
	row->cell[2].is_signed = true;
	if (pair->has[0] && pair->has[1] && pair->value[0] > 0)
		row->cell[3] = ptl_cell_number(
			ptl_number_share(pair->value[1], 1000, pair->value[0]));
	row->cell[4] = ptl_cell_text(pair->has[0] && pair->has[1] ? "" :
				     pair->has[1]		  ? "new" :
				     pair->has[0]		  ? "gone" :
								    "");
	row->cell[6] = ptl_cell_text(name);
	row->cell[5] = ptl_cell_number(change(difference));
}

static void make_rows(const struct ptl_hash *pairs,
		      const struct ptl_hash *folded, struct ptl_table *table)
{
	const struct pair *pair = NULL;

	while ((pair = ptl_hash_next(pairs, pair)) != NULL) {
		const char *const *name = ptl_hash_key(pairs, pair);

		if (!is_folded(folded, pair, *name))
			make_row(table, pair, *name);
	}
	while ((pair = ptl_hash_next(folded, pair)) != NULL) {
		const char *const *name = ptl_hash_key(folded, pair);

		if (pair->has[0] && pair->has[1])
			make_row(table, pair, *name);
	}
	ptl_table_sort(table, "change", SIZE_MAX);
}

/* How many of the rows, which begin with the largest changes, are worth it. */
static size_t nr_large(const struct ptl_table *table, enum ptl_column_kind kind)
{
	size_t nr = 0;

	for (size_t i = 0; i < table->nr; i++) {
		const struct pair *pair = table->row[i].of;
		int64_t size = table->row[i].cell[5].number;
		bool is_both = pair->has[0] && pair->has[1];

		if (size == 0 ||
		    (kind == PTL_COLUMN_DURATION && size < LEAST_NS) ||
		    (is_both &&
		     (double)size * 1000 <
			     LEAST_PERMILLE * (double)pair->value[0]))
			continue;
		table->row[nr++] = table->row[i];
	}
	return nr;
}

static void print_title(const struct ptl_run *run, const char *letter)
{
	ptl_line("%s: ", letter);
	ptl_line_name(run->merge.source[0].path);
	if (run->merge.nr_sources > 1)
		ptl_line(" and %zu more", run->merge.nr_sources - 1);
	ptl_line("   ");
	ptl_notes_title(&run->model);
}

/* What makes the two hard to compare. */
static void print_warnings(const struct ptl_run *a, const struct ptl_run *b,
			   const struct ptl_report_view *view)
{
	struct posix_trace_info_np info[2] = {0};
	const char *before = "recorded in one of them only: ";

	posix_trace_get_info_np(a->merge.source[0].trid, &info[0]);
	posix_trace_get_info_np(b->merge.source[0].trid, &info[1]);
	ptl_line_color(PTL_COLOR_YELLOW);
	if (strcmp(info[0].host, info[1].host) != 0) {
		ptl_line("of different hosts: ");
		ptl_line_name(info[0].host);
		ptl_line(", ");
		ptl_line_name(info[1].host);
		ptl_line_end();
	}
	for (const enum ptl_family *family = view->needs; *family != 0;
	     family++) {
		if (ptl_model_lacks(&a->model, *family) ==
		    ptl_model_lacks(&b->model, *family))
			continue;
		ptl_line("%s%s", before, ptl_family_name(*family));
		before = " ";
	}
	if (*before == ' ')
		ptl_line_end();
	if (a->model.lost + b->model.lost > 0 || a->model.is_lost_unknown ||
	    b->model.is_lost_unknown) {
		ptl_line("events were lost%s%s",
			 a->model.lost > 0 || a->model.is_lost_unknown ?
				 " in A" :
				 "",
			 b->model.lost > 0 || b->model.is_lost_unknown ?
				 " in B" :
				 "");
		ptl_line_end();
	}
	ptl_line_color(PTL_COLOR_NONE);
}

static void print_wall(const struct ptl_run *a, const struct ptl_run *b)
{
	char from[PTL_NUMBER_SIZE], to[PTL_NUMBER_SIZE];
	int64_t wall = ptl_model_wall(&a->model);
	int64_t other = ptl_model_wall(&b->model);

	ptl_line("wall %s → %s", ptl_number_duration(from, wall),
		 ptl_number_duration(to, other));
	if (wall > 0)
		ptl_line(" (%+.0f%%)",
			 100 * ((double)other - (double)wall) / (double)wall);
	ptl_line_end();
	ptl_line_end();
}

static void show_text(struct ptl_run *a, struct ptl_run *b,
		      struct ptl_table *table, const struct ptl_column *column,
		      const struct ptl_choices *choices)
{
	size_t large = nr_large(table, column->kind), all = table->nr;
	char buf[PTL_NUMBER_SIZE];

	print_warnings(a, b, choices->view);
	print_title(a, "A");
	print_title(b, "B");
	print_wall(a, b);
	ptl_diff_story_print(a, b, ptl_page_top(choices));
	table->nr = large;
	table->shown =
		large < ptl_page_top(choices) ? large : ptl_page_top(choices);
	table->by = table->nr_columns;
	if (large > 0) {
		ptl_line("%s, A and B:", column->key);
		ptl_line_end();
		ptl_table_print(table, NULL);
	}
	if (all > large) {
		ptl_line("%s %s with a change below 2%%%s",
			 ptl_number_count(buf, (int64_t)(all - large)),
			 all - large == 1 ? "row" : "rows",
			 column->kind == PTL_COLUMN_DURATION ? " or 1ms" : "");
		ptl_line_end();
	}
}

static void show_json(const struct ptl_run *a, const struct ptl_run *b,
		      const struct ptl_table *table,
		      const struct ptl_column *column,
		      const struct ptl_choices *choices)
{
	struct ptl_out *out = ptl_screen_out();

	ptl_out_char(out, '{');
	ptl_json_key(out, "view", true);
	ptl_out_str(out, "\"diff\"");
	ptl_json_text(out, "compared", column->key);
	ptl_json_key(out, "a", false);
	ptl_out_char(out, '{');
	ptl_notes_json(&a->model, choices->view, out);
	ptl_out_char(out, '}');
	ptl_json_key(out, "b", false);
	ptl_out_char(out, '{');
	ptl_notes_json(&b->model, choices->view, out);
	ptl_out_char(out, '}');
	ptl_diff_story_json(a, b, out);
	ptl_json_key(out, "rows", false);
	ptl_json_table(out, table, NULL);
	ptl_out_str(out, "}\n");
}

void ptl_diff_show(struct ptl_run *a, struct ptl_run *b,
		   const struct ptl_choices *choices)
{
	const struct ptl_report_view *view = choices->view;
	size_t column = choose_column(view, choices);
	/* A difference of times is a duration. */
	enum ptl_column_kind given = view->column[column].kind;
	enum ptl_column_kind kind =
		given == PTL_COLUMN_TIME ? PTL_COLUMN_DURATION : given;
	const struct ptl_column columns[] = {
		{"A", "a", kind},
		{"B", "b", kind},
		{"DIFF", "diff", kind},
		{"×", "permille", PTL_COLUMN_RATIO},
		{"", "state", PTL_COLUMN_TEXT},
		{"", "change", kind},
		{"WHAT", "name", PTL_COLUMN_TEXT},
		{NULL, NULL, 0},
	};
	struct ptl_hash pairs = {.value_size = sizeof(struct pair)};
	struct ptl_hash folded = {.value_size = sizeof(struct pair)};
	struct ptl_table of_a, of_b, table;

	ptl_table_begin(&of_a, view->column);
	view->rows(a->view[0].of, &a->model, &of_a);
	ptl_table_begin(&of_b, view->column);
	view->rows(b->view[0].of, &b->model, &of_b);
	add_rows(&pairs, view, &of_a, column, 0);
	add_rows(&pairs, view, &of_b, column, 1);
	ptl_table_begin(&table, columns);
	add_folded(&folded, &pairs, is_sum(&view->column[column]));
	make_rows(&pairs, &folded, &table);
	if (choices->wants_json)
		show_json(a, b, &table, &view->column[column], choices);
	else
		show_text(a, b, &table, &view->column[column], choices);
	ptl_table_free(&of_a);
	ptl_table_free(&of_b);
	ptl_table_free(&table);
	ptl_hash_clear(&pairs);
	ptl_hash_clear(&folded);
}
