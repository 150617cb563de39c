/* SPDX-License-Identifier: MIT */
/*
 * --calls --tree: what calls what, from the programs on.  Each path of calls
 * has a line, below that of its caller, those that are worth most first.  Lines
 * that there is no room for are those of the least worth, so that the caller of
 * what is shown is shown, too; one line says what is missing below it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/report/model/call_paths.h"
#include "tools/report/show/json.h"
#include "tools/lib/number.h"
#include "tools/report/view/report.h"
#include "tools/report/show/screen.h"

static const struct ptl_column columns[] = {
	{"", "number", PTL_COLUMN_TIME},
	{"", "parent", PTL_COLUMN_COUNT},
	{"", "depth", PTL_COLUMN_COUNT},
	{"TOTAL", "total", PTL_COLUMN_DURATION},
	{"SELF", "self", PTL_COLUMN_DURATION},
	{"CALLS", "calls", PTL_COLUMN_COUNT},
	{"", "no_end", PTL_COLUMN_COUNT},
	{"", "more", PTL_COLUMN_COUNT},
	{"", "function", PTL_COLUMN_TEXT},
	{"FUNCTION", NULL, PTL_COLUMN_TEXT},
	{0},
};

enum { NUMBER, PARENT, DEPTH, TOTAL, SELF, CALLS, NO_END, MORE, NAME, LABEL };

/* Of each measure: its name in JSON, and what the page says of it. */
static const char *const measures[][2] = {
	{"wall",
	 "TOTAL: wall time over all threads, with what is called; SELF: "
	 "without; what calls itself has one line"},
	{"events",
	 "TOTAL: events, by their call stacks, of a function and what "
	 "it calls; SELF: its own; what calls itself has one line"},
	{"calls", "TOTAL: calls of a function and in it; SELF: its own; no "
		  "returns were recorded, and of callers only the innermost"},
};

struct state {
	struct ptl_call_paths *calls;
	struct ptl_column columns[sizeof(columns) / sizeof(*columns)];
	enum ptl_measure measure;

	/* After the last event. */
	const struct ptl_paths *paths;
	size_t nr_shown;
};

/* While rows are made. */
struct tree {
	struct state *state;
	struct ptl_table *table;
	int64_t least;	/* shown is what is worth more, */
	size_t nr_even; /* and so many that are worth as much */
	char prefix[8 * PTL_PATHS_DEPTH];
};

static void *begin(const struct ptl_report_settings *settings,
		   struct ptl_model *model)
{
	struct state *state = ptl_alloc(sizeof(*state));

	(void)settings;
	state->calls = ptl_call_paths_new(model, true);
	memcpy(state->columns, columns, sizeof(columns));
	return state;
}

static void learn(void *of, const struct ptl_step *step)
{
	ptl_call_paths_learn(((struct state *)of)->calls, step);
}

static int compare_worth(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return a == b ? 0 : a > b ? -1 : 1;
}

/* So that as many paths are shown as are wanted. */
static void find_least(struct tree *tree, size_t top)
{
	const struct ptl_hash *map = &tree->state->paths->map;
	const struct ptl_path *path = NULL;
	size_t nr = 0;
	int64_t *worth;

	tree->least = -1;
	if (map->nr <= top)
		return;
	worth = ptl_alloc(map->nr * sizeof(*worth));
	while ((path = ptl_hash_next(map, path)) != NULL)
		worth[nr++] = path->total;
	qsort(worth, nr, sizeof(*worth), compare_worth);
	tree->least = worth[top - 1];
	for (; top > 0 && worth[top - 1] == tree->least; top--)
		tree->nr_even++;
	free(worth);
}

static bool takes(struct tree *tree, const struct ptl_path *path)
{
	if (path->total == tree->least && tree->nr_even > 0) {
		tree->nr_even--;
		return true;
	}
	return path->total > tree->least;
}

static struct ptl_row *put_row(struct tree *tree, size_t parent,
			       unsigned int depth, const char *name,
			       int64_t total)
{
	struct ptl_row *row = ptl_table_row(tree->table, NULL);
	char label[sizeof(tree->prefix) + 2048];

	snprintf(label, sizeof(label), "%s%s", tree->prefix, name);
	row->cell[NUMBER] = ptl_cell_number((int64_t)row->rank + 1);
	row->cell[PARENT] = ptl_cell_number((int64_t)parent);
	row->cell[DEPTH] = ptl_cell_number(depth);
	row->cell[TOTAL] = ptl_cell_number(total);
	row->cell[LABEL] = ptl_cell_text(ptl_intern(label, sizeof(label)));
	return row;
}

/* Returns the row's number. */
static size_t put_path(struct tree *tree, const struct ptl_path *path,
		       size_t parent)
{
	struct ptl_row *row =
		put_row(tree, parent, path->depth, path->name, path->total);

	tree->state->nr_shown++;
	row->cell[NAME] = ptl_cell_text(path->name);
	row->cell[MORE] = ptl_cell_number(0);
	if (tree->state->measure != PTL_MEASURE_WALL) {
		row->cell[SELF] = ptl_cell_number(path->self);
	} else if (path->nr > 0) {
		row->cell[CALLS] = ptl_cell_number((int64_t)path->nr);
		row->cell[NO_END] = ptl_cell_number((int64_t)path->nr_open);
		row->cell[TOTAL].is_least = path->nr_open > 0;
		if (path->nr_open < path->nr)
			row->cell[SELF] = ptl_cell_number(path->self);
		else if (path->total == 0)
			row->cell[TOTAL].is_known = false;
	}
	return row->rank + 1;
}

/* Behind what stands before the caller's name; programs have nothing there. */
static void set_prefix(struct tree *tree, const struct ptl_path *caller,
		       size_t size, const char *sign)
{
	tree->prefix[size] = '\0';
	if (caller->depth > 0)
		snprintf(tree->prefix + size, sizeof(tree->prefix) - size,
			 "%s ", sign);
}

/* At most PTL_PATHS_DEPTH calls deep. */
static void put_below(struct tree *tree, const struct ptl_path *path,
		      size_t number)
{
	const struct ptl_path *child = path->child;
	size_t size = strlen(tree->prefix), nr = 0;
	int64_t rest = 0;
	char name[32];

	for (; child != NULL && takes(tree, child); child = child->sibling) {
		bool is_last = child->sibling == NULL;
		size_t own;

		set_prefix(tree, path, size,
			   ptl_screen_sign(is_last ? "└" : "├"));
		own = put_path(tree, child, number);
		set_prefix(tree, path, size,
			   is_last ? " " : ptl_screen_sign("│"));
		put_below(tree, child, own);
	}
	for (; child != NULL; child = child->sibling, nr++)
		rest += child->total;
	set_prefix(tree, path, size, ptl_screen_sign("└"));
	if (nr > 0) {
		snprintf(name, sizeof(name), "(%zu more)", nr);
		put_row(tree, number, path->depth + 1, name, rest)->cell[MORE] =
			ptl_cell_number((int64_t)nr);
	}
	tree->prefix[size] = '\0';
}

static void make_rows(void *of, struct ptl_model *model,
		      struct ptl_table *table)
{
	struct state *state = of;
	struct tree tree = {.state = state, .table = table};
	const struct ptl_path *path = NULL;

	state->paths = ptl_call_paths_end(state->calls, &state->measure);
	if (state->measure != PTL_MEASURE_WALL) {
		state->columns[TOTAL].kind = PTL_COLUMN_COUNT;
		state->columns[SELF].kind = PTL_COLUMN_COUNT;
		state->columns[CALLS].heading = "";
	} else {
		while ((path = ptl_hash_next(&state->paths->map, path)) != NULL)
			model->open_calls += path->nr_open;
	}
	table->column = state->columns;
	find_least(&tree, table->top);
	table->top = SIZE_MAX;
	put_below(&tree, &state->paths->root, 0);
}

static void print_above(void *of, struct ptl_model *model)
{
	const struct state *state = of;

	(void)model;
	ptl_line_words(measures[state->measure][1]);
	if (ptl_call_paths_are_shared(state->calls))
		ptl_line_words("summed up by function and caller (-c): what "
			       "several functions call is shared among them "
			       "by their times");
}

static void print_after(void *of, struct ptl_model *model)
{
	const struct state *state = of;
	size_t left_out = state->paths->map.nr - state->nr_shown;
	char count[PTL_NUMBER_SIZE];

	(void)model;
	if (left_out > 0) {
		ptl_line_color(PTL_COLOR_DIM);
		ptl_line("%s more: --top N",
			 ptl_number_count(count, (int64_t)left_out));
		ptl_line_end();
	}
	if (state->paths->is_deeper) {
		ptl_line("[deeper]: calls inside of %d others, not told apart",
			 PTL_PATHS_DEPTH);
		ptl_line_end();
	}
	if (state->paths->is_full) {
		ptl_line("[more]: there are more than %s paths; the others "
			 "are not told apart",
			 ptl_number_count(count, PTL_PATHS_MAX));
		ptl_line_end();
	}
}

static void put_members(void *of, struct ptl_model *model, struct ptl_out *out)
{
	const struct state *state = of;

	(void)model;
	ptl_json_text(out, "measure", measures[state->measure][0]);
	ptl_json_key(out, "is_deeper", false);
	ptl_out_str(out, state->paths->is_deeper ? "true" : "false");
	ptl_json_key(out, "is_full", false);
	ptl_out_str(out, state->paths->is_full ? "true" : "false");
}

static void end(void *of)
{
	ptl_call_paths_free(((struct state *)of)->calls);
	free(of);
}

const struct ptl_report_view ptl_report_call_tree = {
	.name = "tree",
	.needs = (const enum ptl_family[]){PTL_FAMILY_CALL, PTL_FAMILY_FILE,
					   PTL_FAMILY_IO, PTL_FAMILY_MEM,
					   PTL_FAMILY_NET, PTL_FAMILY_SYNC,
					   PTL_FAMILY_TIME, 0},
	.takes_any = true,
	.column = columns,
	.sort = "number",
	.begin = begin,
	.event = learn,
	.rows = make_rows,
	.free = end,
	.above = print_above,
	.after = print_after,
	.members = put_members,
};
