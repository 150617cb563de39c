/* SPDX-License-Identifier: MIT */
/* The threads, as a view; see threads.h. */
#include "tools/report/browse/threads.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/hash.h"
#include "tools/lib/say.h"
#include "tools/report/show/screen.h"

struct state {
	struct ptl_hash threads;
};

static const struct ptl_column columns[] = {
	{"EVENTS", "events", PTL_COLUMN_COUNT},
	{"ERR", "err", PTL_COLUMN_ERRORS},
	{"FIRST(s)", "first", PTL_COLUMN_TIME},
	{"LAST(s)", "last", PTL_COLUMN_TIME},
	{"THREAD", "thread", PTL_COLUMN_TEXT},
	{0},
};

static void *begin(const struct ptl_report_settings *settings,
		   struct ptl_model *model)
{
	struct state *state = ptl_alloc(sizeof(*state));

	(void)settings;
	(void)model;
	state->threads.value_size = sizeof(struct ptl_browse_thread);
	return state;
}

static void learn(void *of, const struct ptl_step *step)
{
	struct state *state = of;
	struct ptl_browse_thread *thread;
	uint64_t key[2];

	if (step->process == NULL || step->thread == NULL)
		return;
	key[0] = step->process->number;
	key[1] = (uint64_t)step->thread->tid;
	thread = ptl_hash_get(&state->threads, key, sizeof(key));
	if (thread->events++ == 0)
		thread->first = step->now;
	thread->process = step->process;
	thread->tid = step->thread->tid;
	thread->last = step->now;
	thread->failed += step->error != NULL;
	if (step->thread->name != NULL)
		thread->name = step->thread->name;
}

const struct ptl_browse_thread *
ptl_browse_threads_next(const void *of, const struct ptl_browse_thread *thread)
{
	return ptl_hash_next(&((const struct state *)of)->threads, thread);
}

static const char *label_of(const struct ptl_browse_thread *thread)
{
	bool is_main = thread->tid == thread->process->pid;
	char text[1024];

	snprintf(text, sizeof(text), "%d%s%s%s", thread->tid,
		 thread->name != NULL ? " " : "",
		 thread->name != NULL ? thread->name : "",
		 is_main ? " (main)" : "");
	return ptl_intern(text, sizeof(text));
}

static void make_rows(void *of, struct ptl_model *model,
		      struct ptl_table *table)
{
	const struct ptl_browse_thread *thread = NULL;

	(void)model;
	while ((thread = ptl_browse_threads_next(of, thread)) != NULL) {
		struct ptl_row *row = ptl_table_row(table, thread);

		row->cell[0] = ptl_cell_number((int64_t)thread->events);
		row->cell[1] = ptl_cell_number((int64_t)thread->failed);
		row->cell[2] = ptl_cell_number(thread->first);
		row->cell[3] = ptl_cell_number(thread->last);
		row->cell[4] = ptl_cell_text(label_of(thread));
	}
}

static void end(void *of)
{
	ptl_hash_clear(&((struct state *)of)->threads);
	free(of);
}

const struct ptl_report_view ptl_browse_threads = {
	.name = "threads",
	.needs = (const enum ptl_family[]){PTL_FAMILY_THREAD, 0},
	.column = columns,
	.sort = "events",
	.begin = begin,
	.event = learn,
	.rows = make_rows,
	.free = end,
};
