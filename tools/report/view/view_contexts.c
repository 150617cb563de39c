/* SPDX-License-Identifier: MIT */
/* --contexts: what was done meanwhile, by the values of contexts: for a
 * request, a user, a job; and by processes with a tag. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/report/show/json.h"
#include "tools/report/view/report.h"
#include "tools/report/show/screen.h"

/* Of more values the others are one. */
#define MOST 65536

struct context {
	char text[PTL_CONTEXT_TEXT];
	uint64_t events, failed;
	int64_t first, last; /* ns since the first event; last: the end */
	int64_t in_calls;    /* ns */
};

struct state {
	struct ptl_hash by_text;
};

static const struct ptl_column columns[] = {
	{"WALL", "wall", PTL_COLUMN_DURATION},
	{"IN CALLS", "in_calls", PTL_COLUMN_DURATION},
	{"EVENTS", "events", PTL_COLUMN_COUNT},
	{"FAILED", "failed", PTL_COLUMN_ERRORS},
	{"FIRST(s)", "first", PTL_COLUMN_TIME},
	{"CONTEXT", "context", PTL_COLUMN_TEXT},
	{0},
};

static void *begin(const struct ptl_report_settings *settings,
		   struct ptl_model *model)
{
	struct state *state = ptl_alloc(sizeof(*state));

	(void)settings;
	(void)model;
	state->by_text.value_size = sizeof(struct context);
	return state;
}

static struct context *get(struct state *state, const char *name,
			   char text[PTL_CONTEXT_TEXT], size_t size)
{
	struct context *context = ptl_hash_find(&state->by_text, text, size);

	if (context == NULL && state->by_text.nr >= MOST)
		size = (size_t)snprintf(text, PTL_CONTEXT_TEXT, "%s (others)",
					name);
	if (context == NULL)
		context = ptl_hash_get(&state->by_text, text, size);
	if (context->events == 0)
		memcpy(context->text, text, PTL_CONTEXT_TEXT);
	return context;
}

static void count(struct context *context, const struct ptl_step *step)
{
	int64_t took = step->duration > 0 ? step->duration : 0;
	bool is_over = step->kind->act == PTL_ACT_SPAN_END;
	int64_t end = step->now + (is_over ? 0 : took);

	if (context->events++ == 0)
		context->first = step->now;
	if (end > context->last)
		context->last = end;
	context->failed += step->error != NULL;
	if (step->kind->is_call)
		context->in_calls += took;
}

static void learn(void *of, const struct ptl_step *step)
{
	const struct ptl_args *contexts = step->view->context;
	char text[PTL_CONTEXT_TEXT] = "";

	for (unsigned int i = 0; contexts != NULL && i < contexts->nr; i++) {
		size_t size = ptl_context_text(&contexts->arg[i], text);

		count(get(of, contexts->arg[i].name, text, size), step);
	}
	for (const struct ptl_tag *tag = step->view->tags; tag != NULL;
	     tag = tag->next) {
		int size = snprintf(text, sizeof(text), PTL_TAG_FIELD "%.*s=%s",
				    PTL_DECODE_NAME, tag->key, tag->value);

		if (size >= PTL_CONTEXT_TEXT)
			size = PTL_CONTEXT_TEXT - 1;
		count(get(of, tag->key, text, (size_t)size), step);
	}
}

static void make_rows(void *of, struct ptl_model *model,
		      struct ptl_table *table)
{
	struct state *state = of;
	const struct context *context = NULL;

	while ((context = ptl_hash_next(&state->by_text, context)) != NULL) {
		struct ptl_row *row = ptl_table_row(table, context);

		row->cell[0] = ptl_cell_number(context->last - context->first);
		row->cell[1] = ptl_cell_number(context->in_calls);
		row->cell[2] = ptl_cell_number((int64_t)context->events);
		row->cell[2].is_least = model->lost > 0;
		row->cell[3] = ptl_cell_number((int64_t)context->failed);
		row->cell[4] = ptl_cell_number(context->first);
		row->cell[5] = ptl_cell_text(context->text);
	}
}

static void print_above(void *of, struct ptl_model *model)
{
	(void)of;
	(void)model;
	ptl_line_words("WALL is from the first event that has the context to "
		       "the end of the last; IN CALLS the sum of what calls "
		       "of libc took");
}

static void end(void *of)
{
	ptl_hash_clear(&((struct state *)of)->by_text);
	free(of);
}

const struct ptl_report_view ptl_report_contexts = {
	.name = "contexts",
	.about = "what was done for each request, user, job or tag, as "
		 "programs say",
	.needs = (const enum ptl_family[]){0},
	.column = columns,
	.sort = "wall",
	.identity = "context",
	.begin = begin,
	.event = learn,
	.rows = make_rows,
	.free = end,
	.above = print_above,
};
