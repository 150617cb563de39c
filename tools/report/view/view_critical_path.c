/* SPDX-License-Identifier: MIT */
/*
 * --critical-path: what the whole had to wait for: from its end back through
 * those who ended each wait, so that each moment is counted once.  Of a part
 * of the time, as of a request: from the last event in it back.
 */
#include <stdlib.h>

#include "tools/lib/say.h"
#include "tools/report/model/gains.h"
#include "tools/report/model/wait_sums.h"
#include "tools/report/show/json.h"
#include "tools/lib/number.h"
#include "tools/report/view/report.h"
#include "tools/report/show/screen.h"

/* So many steps are gone back. */
#define STEPS 10000000

struct state {
	struct ptl_strands *strands;
	struct ptl_hash deeds;
	struct ptl_link *link; /* the last first */
	size_t nr, room;
	/* The last event that is wanted: whose it is. */
	struct ptl_strand *last;
	const char *event; /* NULL: there is none in that time */
	bool is_later;	   /* there are events behind it */
	bool is_cut;
};

static const struct ptl_column columns[] = {
	{"TIME", "time", PTL_COLUMN_DURATION},
	{"%PATH", NULL, PTL_COLUMN_PERMILLE},
	{"GAIN", "gain", PTL_COLUMN_DURATION},
	{"COUNT", "count", PTL_COLUMN_COUNT},
	{"MAX", "max", PTL_COLUMN_DURATION},
	{"PROGRAM", "program", PTL_COLUMN_TEXT},
	{"WHAT IT DID", "what", PTL_COLUMN_TEXT},
	{0},
};

static void *begin(const struct ptl_report_settings *settings,
		   struct ptl_model *model)
{
	struct state *state = ptl_alloc(sizeof(*state));

	(void)settings;
	(void)model;
	state->strands = ptl_strands_new();
	state->deeds.value_size = sizeof(struct ptl_deed);
	return state;
}

static void learn_wanted(void *of, const struct ptl_step *step)
{
	struct state *state = of;
	struct ptl_strand *strand;

	ptl_strands_learn(state->strands, step);
	strand = ptl_strands_of(state->strands, step);
	if (strand == NULL)
		return;
	state->last = strand;
	state->event = step->kind->name;
	state->is_later = false;
}

static void learn(void *of, const struct ptl_step *step)
{
	struct state *state = of;

	ptl_strands_learn(state->strands, step);
	state->is_later = true;
}

static void add_link(void *of, const struct ptl_link *link)
{
	struct state *state = of;

	ptl_deeds_add(&state->deeds, state, link);
	state->link = ptl_grow(state->link, state->nr, &state->room,
			       sizeof(*state->link));
	state->link[state->nr++] = *link;
}

static int64_t length_of(const struct state *state)
{
	return state->nr > 0 ?
		       state->link[0].end - state->link[state->nr - 1].begin :
		       0;
}

/* From the end of the wanted time, or of the trace. */
static void find_path(struct state *state, const struct ptl_model *model)
{
	struct ptl_strand *last;
	int64_t at;

	ptl_strands_end(state->strands);
	if (!state->is_later)
		state->last = ptl_strands_last(state->strands);
	else if (state->last == NULL)
		state->last = ptl_chain_last(state->strands, model->last);
	last = state->last;
	if (last == NULL)
		return;
	at = state->is_later && model->last < last->end ? model->last :
							  last->end;
	state->is_cut = ptl_chain_walk(last, at, model->begin, STEPS, add_link,
				       state) == 0;
	ptl_gains_find(state->strands, &state->deeds, state, last, at,
		       model->begin);
}

static void make_rows(void *of, struct ptl_model *model,
		      struct ptl_table *table)
{
	struct state *state = of;
	const struct ptl_deed *deed = NULL;

	find_path(state, model);
	while ((deed = ptl_hash_next(&state->deeds, deed)) != NULL) {
		struct ptl_row *row = ptl_table_row(table, deed);

		row->cell[0] = ptl_cell_number(deed->time);
		row->cell[1] =
			ptl_cell_number((int64_t)((double)deed->time * 1000 /
						  (double)length_of(state)));
		row->cell[2] =
			ptl_cell_maybe(deed->is_gain_known ? deed->gain : -1);
		row->cell[3] = ptl_cell_number((int64_t)deed->nr);
		row->cell[4] = ptl_cell_number(deed->max);
		row->cell[5] = ptl_cell_text(deed->program);
		row->cell[6] = ptl_cell_text(deed->what);
	}
}

static void print_above(void *of, struct ptl_model *model)
{
	const struct state *state = of;
	char number[PTL_NUMBER_SIZE];

	(void)model;
	if (state->last == NULL)
		return;
	ptl_line("%s until ", ptl_number_duration(number, length_of(state)));
	if (!state->is_later)
		ptl_line("the end");
	else if (state->event != NULL)
		ptl_line_name(state->event);
	else
		ptl_line("that time");
	ptl_line(state->is_later && state->event == NULL ? " in " : " of ");
	ptl_line_name(ptl_strand_program(state->last));
	ptl_line("[%d], each moment counted once:", state->last->tid);
	ptl_line_end();
	ptl_line_words("what is not here did not make it longer; running is "
		       "all that was not recorded, too; GAIN is how much "
		       "earlier it would have been, had that taken no time");
	if (state->is_cut)
		ptl_line_words("Only the last part: there are too many steps");
}

static void put_link(struct ptl_out *out, const struct ptl_link *link,
		     bool is_first)
{
	ptl_out_str(out, is_first ? "{" : ",{");
	ptl_json_key(out, "at", true);
	ptl_out_int(out, link->begin);
	ptl_json_number(out, "time", link->end - link->begin);
	ptl_json_number(out, "pid", link->strand->process->pid);
	ptl_json_number(out, "tid", link->strand->tid);
	ptl_json_text(out, "program", ptl_strand_program(link->strand));
	ptl_json_text(out, "what", ptl_link_name(link));
	ptl_json_text(out, "site",
		      link->wait != NULL ? link->wait->site->name : NULL);
	ptl_out_char(out, '}');
}

static void put_members(void *of, struct ptl_model *model, struct ptl_out *out)
{
	const struct state *state = of;

	(void)model;
	ptl_json_number(out, "length", length_of(state));
	ptl_json_key(out, "path", false);
	ptl_out_char(out, '[');
	for (size_t i = state->nr; i > 0; i--)
		put_link(out, &state->link[i - 1], i == state->nr);
	ptl_out_char(out, ']');
}

const struct ptl_strands *ptl_report_strands(const void *of)
{
	const struct state *state = of;

	return state->strands;
}

const struct ptl_link *ptl_report_links(const void *of, size_t *nr)
{
	const struct state *state = of;

	*nr = state->nr;
	return state->link;
}

static void put_more(struct ptl_out *out, const void *row_of)
{
	const struct ptl_deed *deed = row_of;

	ptl_json_text(out, "site",
		      deed->site != NULL ? deed->site->name : NULL);
}

static void end(void *of)
{
	struct state *state = of;

	ptl_hash_clear(&state->deeds);
	free(state->link);
	ptl_strands_free(state->strands);
	free(state);
}

const struct ptl_report_view ptl_report_critical_path = {
	.name = "critical-path",
	.about = "what made it take as long as it did, from its end back",
	.needs = (const enum ptl_family[]){PTL_FAMILY_PROCESS,
					   PTL_FAMILY_THREAD, PTL_FAMILY_SYNC,
					   PTL_FAMILY_IO, PTL_FAMILY_TIME, 0},
	.column = columns,
	.sort = "time",
	.identity = "program what",
	.begin = begin,
	.event = learn_wanted,
	.learn = learn,
	.learns_later = true,
	.rows = make_rows,
	.free = end,
	.above = print_above,
	.members = put_members,
	.has_long_members = true,
	.more = put_more,
};
