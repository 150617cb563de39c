/* SPDX-License-Identifier: MIT */
/* What earlier events tell of a row; see row.h. */
#include "tools/sql/row.h"
#include "tools/lib/clock.h"

/* A call keeps its event's id, and nothing that would have to be freed. */
static void leave(void *of, struct ptl_thread *thread, struct ptl_call *call,
		  struct ptl_call *outer, uint64_t at, enum ptl_call_end how)
{
	(void)of;
	(void)thread;
	(void)call;
	(void)outer;
	(void)at;
	(void)how;
}

void ptl_sql_row_begin(struct ptl_sql_row *row, unsigned int needs,
		       struct ptl_model *model)
{
	row->needs = needs;
	row->id = 0;
	if (needs & PTL_SQL_NEEDS_FILES)
		row->files = ptl_files_new();
	row->calls = (struct ptl_calls_user){
		.wants_libc = true, .leave = leave, .of = row};
	if (needs & PTL_SQL_NEEDS_CALLS)
		ptl_calls_add_user(model->calls, &row->calls);
}

void ptl_sql_row_end(struct ptl_sql_row *row)
{
	if (row->files != NULL)
		ptl_files_free(row->files);
	row->files = NULL;
}

/* Which call it is in, and when the one began that it tells of. */
static void learn_calls(struct ptl_sql_row *row, const struct ptl_step *step)
{
	const struct ptl_moment *moment = &step->moment;
	unsigned int number = row->calls.number;
	const struct ptl_call *call = moment->outer;

	row->parent = 0;
	row->depth = 0;
	row->start = ptl_ns(&step->view->event->posix_timestamp);
	if (moment->call != NULL && (moment->ends || moment->is_told))
		row->start = moment->call->begin;
	if (moment->call != NULL && moment->begins)
		moment->call->of[number] = (void *)(uintptr_t)row->id;
	if (call != NULL)
		row->parent = (uintptr_t)call->of[number];
	for (; call != NULL; call = ptl_calls_outer(moment->thread, call))
		row->depth++;
}

void ptl_sql_row_learn(struct ptl_sql_row *row, const struct ptl_step *step)
{
	row->step = step;
	row->view = step->view;
	row->type = step->view->type;
	row->source = step->view->source;
	row->nr_uses = 0;
	if (row->files != NULL && step->process != NULL)
		row->nr_uses = ptl_uses_learn(row->files, step, row->use);
	if (row->needs & PTL_SQL_NEEDS_CALLS)
		learn_calls(row, step);
}
