/* SPDX-License-Identifier: MIT */
/*
 * --processes: each process, when and how long it ran, what it used and how it
 * ended; sorted by start, indented below its parent.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/quote.h"
#include "tools/lib/say.h"
#include "tools/report/show/json.h"
#include "tools/report/view/report.h"
#include "tools/report/show/screen.h"

static const struct ptl_column columns[] = {
	{"START(s)", "start", PTL_COLUMN_TIME},
	{"WALL", "wall", PTL_COLUMN_DURATION},
	{"USER", "user", PTL_COLUMN_DURATION},
	{"SYS", "sys", PTL_COLUMN_DURATION},
	{"MAXRSS", "maxrss", PTL_COLUMN_BYTES},
	{"THR", "threads", PTL_COLUMN_COUNT},
	{"EXIT", "exit", PTL_COLUMN_TEXT},
	{"PROCESS", "process", PTL_COLUMN_TEXT},
	{0},
};

static void *begin(const struct ptl_report_settings *settings,
		   struct ptl_model *model)
{
	(void)settings;
	(void)model;
	return ptl_alloc(1);
}

static void learn(void *of, const struct ptl_step *step)
{
	(void)of;
	(void)step;
}

/* "host: rank 3: ..cc1[2131] -quiet": dots for its depth. */
static const char *label_of(const struct ptl_process *process)
{
	char rank[PTL_PROCESS_RANK_SIZE];
	static char text[8192];
	size_t used = 0, dots;

	if (process->host != NULL)
		used = (size_t)snprintf(text, sizeof(text),
					"%s: ", process->host);
	dots = used + 64;
	for (const struct ptl_process *above = process->parent;
	     above != NULL && used < dots; above = above->parent)
		text[used++] = '.', text[used++] = '.';
	used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s[%d",
				 ptl_process_rank(process, rank),
				 ptl_process_program(process), process->pid);
	if (process->pidns != 0 && used < sizeof(text))
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "@%u", process->pidns);
	if (used < sizeof(text))
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "]%s %s",
					 ptl_tags_shown(&process->tags),
					 ptl_process_arguments(process));
	return ptl_intern(text, used < sizeof(text) ? used : sizeof(text));
}

static void make_rows(void *of, struct ptl_model *model,
		      struct ptl_table *table)
{
	const struct ptl_process *process =
		ptl_processes_first_traced(model->processes);

	(void)of;
	for (; process != NULL; process = ptl_process_next_traced(process)) {
		struct ptl_row *row = ptl_table_row(table, process);
		char exit[16];

		row->cell[0] = ptl_cell_number(process->begin);
		row->cell[1] = ptl_cell_number(process->end - process->begin);
		row->cell[1].is_least = !ptl_process_is_whole(process);
		if (process->user_us >= 0)
			row->cell[2] = ptl_cell_number(process->user_us * 1000);
		if (process->sys_us >= 0)
			row->cell[3] = ptl_cell_number(process->sys_us * 1000);
		if (process->maxrss_kib >= 0)
			row->cell[4] =
				ptl_cell_number(process->maxrss_kib * 1024);
		if (!ptl_model_lacks(model, PTL_FAMILY_THREAD))
			row->cell[5] = ptl_cell_number(process->max_threads);
		ptl_process_exit(process, exit);
		row->cell[6] = ptl_cell_text(ptl_intern(exit, sizeof(exit)));
		row->cell[6].is_failure = ptl_process_failed(process);
		row->cell[7] = ptl_cell_text(label_of(process));
	}
}

static void put_tags(struct ptl_out *out, const struct ptl_process *process)
{
	ptl_json_key(out, "tags", false);
	ptl_out_char(out, '{');
	for (const struct ptl_tag *tag = process->tags.first; tag != NULL;
	     tag = tag->next) {
		if (tag != process->tags.first)
			ptl_out_char(out, ',');
		ptl_quote_json(out, tag->key, strlen(tag->key));
		ptl_out_char(out, ':');
		ptl_quote_json(out, tag->value, strlen(tag->value));
	}
	ptl_out_char(out, '}');
}

static void put_more(struct ptl_out *out, const void *row_of)
{
	const struct ptl_process *process = row_of;
	bool is_first = true;

	if (process->host != NULL)
		ptl_json_text(out, "host", process->host);
	ptl_json_number(out, "pid", process->pid);
	ptl_json_maybe(out, "pidns",
		       process->pidns != 0 ? (int64_t)process->pidns : -1);
	ptl_json_maybe(out, "ppid",
		       process->parent != NULL ? process->parent->pid :
		       process->ppid > 0       ? process->ppid :
						 -1);
	ptl_json_maybe(out, "rank", process->rank);
	put_tags(out, process);
	ptl_json_maybe(out, "status", process->status);
	ptl_json_maybe(out, "signal", process->signal);
	ptl_json_number(out, "events", (int64_t)process->events);
	ptl_json_text(out, "program", ptl_process_program(process));
	ptl_json_text(out, "arguments", ptl_process_arguments(process));
	ptl_json_key(out, "programs", false);
	ptl_out_char(out, '[');
	for (const struct ptl_program *image = process->image; image != NULL;
	     image = image->next) {
		ptl_out_str(out, is_first ? "{" : ",{");
		is_first = false;
		ptl_json_key(out, "start", true);
		ptl_out_int(out, image->begin);
		ptl_json_number(out, "wall", image->end - image->begin);
		ptl_json_text(out, "program", image->program);
		ptl_json_text(out, "arguments", image->arguments);
		ptl_json_text(out, "cwd", image->cwd);
		ptl_out_char(out, '}');
	}
	ptl_out_char(out, ']');
}

/* "make > cc > cc1 -quiet": what ran, and what it comes from. */
static const char *identify(const void *row_of)
{
	const struct ptl_process *process = row_of;
	char text[8192];
	size_t used = ptl_process_path(process, text, sizeof(text));

	if (used < sizeof(text))
		snprintf(text + used, sizeof(text) - used, " %s",
			 ptl_process_arguments(process));
	return ptl_intern(text, sizeof(text));
}

const struct ptl_report_view ptl_report_processes = {
	.name = "processes",
	.about = "each process: when, how long, CPU, memory, end",
	.needs = (const enum ptl_family[]){PTL_FAMILY_PROCESS,
					   PTL_FAMILY_THREAD, 0},
	.column = columns,
	.sort = "start",
	.identify = identify,
	.compared = "wall",
	.begin = begin,
	.event = learn,
	.rows = make_rows,
	.free = free,
	.more = put_more,
};
