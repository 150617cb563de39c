/* SPDX-License-Identifier: MIT */
/* --events: how many events of each type, how large, when, and which were not
 * recorded. */
#include <stdlib.h>

#include "tools/lib/say.h"
#include "tools/lib/number.h"
#include "tools/report/view/report.h"
#include "tools/report/show/screen.h"

struct one {
	const char *name;
	uint64_t nr, nr_cut;
	int64_t bytes, first, last;
};

struct state {
	struct ptl_hash types;
};

static const struct ptl_column columns[] = {
	{"COUNT", "count", PTL_COLUMN_COUNT},
	{"PER S", "per_s", PTL_COLUMN_COUNT},
	{"BYTES", "bytes", PTL_COLUMN_BYTES},
	{"TRUNC", "trunc", PTL_COLUMN_ERRORS},
	{"FIRST(s)", "first", PTL_COLUMN_TIME},
	{"LAST(s)", "last", PTL_COLUMN_TIME},
	{"EVENT", "event", PTL_COLUMN_TEXT},
	{0},
};

static void *begin(const struct ptl_report_settings *settings,
		   struct ptl_model *model)
{
	struct state *state = ptl_alloc(sizeof(*state));

	(void)settings;
	(void)model;
	state->types.value_size = sizeof(struct one);
	return state;
}

static void learn(void *of, const struct ptl_step *step)
{
	struct state *state = of;
	struct one *one = ptl_hash_get(&state->types, &step->kind->name,
				       sizeof(step->kind->name));

	if (one->nr++ == 0)
		one->first = step->now;
	one->name = step->kind->name;
	one->last = step->now;
	one->bytes += (int64_t)step->view->data_size;
	one->nr_cut += ptl_view_is_cut(step->view);
}

static void make_rows(void *of, struct ptl_model *model,
		      struct ptl_table *table)
{
	struct state *state = of;
	const struct one *one = NULL;
	int64_t wall = ptl_model_wall(model);

	while ((one = ptl_hash_next(&state->types, one)) != NULL) {
		struct ptl_row *row = ptl_table_row(table, one);

		row->cell[0] = ptl_cell_number((int64_t)one->nr);
		row->cell[0].is_least = model->lost > 0;
		if (wall > 0)
			row->cell[1] = ptl_cell_number(
				ptl_number_share((int64_t)one->nr, 1e9, wall));
		row->cell[2] = ptl_cell_number(one->bytes);
		row->cell[3] = ptl_cell_number((int64_t)one->nr_cut);
		row->cell[4] = ptl_cell_number(one->first);
		row->cell[5] = ptl_cell_number(one->last);
		row->cell[6] = ptl_cell_text(one->name);
	}
}

static void print_above(void *of, struct ptl_model *model)
{
	(void)of;
	(void)model;
	ptl_line_words(
		"PER S is over the whole time; BYTES of the events' data; "
		"TRUNC: their data were cut");
}

static void end(void *of)
{
	ptl_hash_clear(&((struct state *)of)->types);
	free(of);
}

const struct ptl_report_view ptl_report_events = {
	.name = "events",
	.about = "how many events of each type, and how large",
	.needs = (const enum ptl_family[]){PTL_FAMILY_PROCESS,
					   PTL_FAMILY_THREAD, PTL_FAMILY_SIGNAL,
					   PTL_FAMILY_FILE, PTL_FAMILY_IO,
					   PTL_FAMILY_MEM, PTL_FAMILY_SYNC,
					   PTL_FAMILY_TIME, PTL_FAMILY_NET,
					   PTL_FAMILY_DL, PTL_FAMILY_CALL, 0},
	.column = columns,
	.sort = "count",
	.identity = "event",
	.begin = begin,
	.event = learn,
	.rows = make_rows,
	.free = end,
	.above = print_above,
};
