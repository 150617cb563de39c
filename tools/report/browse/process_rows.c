/* SPDX-License-Identifier: MIT */
/* The tree of processes as rows; see process_rows.h. */
#include "tools/report/browse/process_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/report/browse/threads.h"
#include "tools/report/show/screen.h"

/* A tree of so many is open at first; of a larger one what is at the top. */
#define OPEN_MAX 200
#define OPEN_DEPTH 1

/* Deeper ones are no further to the right. */
#define INDENT_MAX 24

#define LABEL_SIZE 8192
#define NO_PROCESS SIZE_MAX

const struct ptl_column ptl_process_rows_columns[] = {
	{"WALL", "wall", PTL_COLUMN_DURATION},
	{"CPU", "cpu", PTL_COLUMN_DURATION},
	{"EVENTS", "events", PTL_COLUMN_COUNT},
	{"ERR", "err", PTL_COLUMN_ERRORS},
	{"EXIT", "exit", PTL_COLUMN_TEXT},
	{"START(s)", "start", PTL_COLUMN_TIME},
	{"PROCESS", "process", PTL_COLUMN_TEXT},
	{0},
};

enum { WALL, CPU, EVENTS, ERR, EXIT, START, PROCESS };

struct ptl_browse_node {
	size_t parent, child, sibling; /* or NO_PROCESS; in order */
	size_t depth;
	size_t inside, failed; /* below it, and of them those that failed */
	uint64_t events, errors;
	const struct ptl_row *row;
	bool is_kept, is_open;
};

static size_t number_of(const struct ptl_process_rows *rows,
			const struct ptl_process *process)
{
	return process != NULL && process->number < rows->nr ? process->number :
							       NO_PROCESS;
}

static void count_events(struct ptl_process_rows *rows)
{
	const void *threads = rows->reading->view[0].of;
	const struct ptl_browse_thread *thread = NULL;

	while ((thread = ptl_browse_threads_next(threads, thread)) != NULL) {
		struct ptl_browse_node *node =
			&rows->node[thread->process->number];

		node->events += thread->events;
		node->errors += thread->failed;
	}
}

/* A hostile log may make a process its own ancestor. */
static void find_depth(struct ptl_process_rows *rows, size_t number)
{
	const struct ptl_process *above =
		rows->reading->process[number]->parent;
	struct ptl_browse_node *node = &rows->node[number];

	node->parent = number_of(rows, above);
	while (above != NULL && node->depth++ < rows->nr)
		above = above->parent;
	if (above == NULL)
		return;
	node->parent = NO_PROCESS;
	node->depth = 0;
}

static void keep(struct ptl_process_rows *rows, bool is_filtered)
{
	for (size_t i = 0; i < rows->nr; i++)
		if (!is_filtered || rows->node[i].events > 0)
			for (size_t at = i;
			     at != NO_PROCESS && !rows->node[at].is_kept;
			     at = rows->node[at].parent)
				rows->node[at].is_kept = true;
	for (size_t i = 0; i < rows->nr; i++) {
		bool failed = ptl_process_failed(rows->reading->process[i]);

		if (!rows->node[i].is_kept)
			continue;
		for (size_t at = rows->node[i].parent; at != NO_PROCESS;
		     at = rows->node[at].parent) {
			rows->node[at].inside++;
			rows->node[at].failed += failed;
		}
	}
}

static void add_row(struct ptl_process_rows *rows, size_t number)
{
	const struct ptl_process *process = rows->reading->process[number];
	const struct ptl_browse_node *node = &rows->node[number];
	struct ptl_row *row = ptl_table_row(&rows->all, process);
	char exit[16];

	row->cell[WALL] = ptl_cell_number(process->end - process->begin);
	row->cell[WALL].is_least = !ptl_process_is_whole(process);
	row->cell[CPU] = ptl_cell_maybe(ptl_process_cpu(process));
	row->cell[EVENTS] = ptl_cell_number((int64_t)node->events);
	row->cell[ERR] = ptl_cell_number((int64_t)node->errors);
	ptl_process_exit(process, exit);
	row->cell[EXIT] = ptl_cell_text(ptl_intern(exit, sizeof(exit)));
	row->cell[EXIT].is_failure = ptl_process_failed(process);
	row->cell[START] = ptl_cell_number(process->begin);
	row->cell[PROCESS] = ptl_cell_text(ptl_process_program(process));
}

static void free_labels(struct ptl_process_rows *rows)
{
	for (size_t i = 0; i < rows->nr_labels; i++)
		free(rows->label[i]);
	free(rows->label);
	rows->label = NULL;
	rows->nr_labels = 0;
}

/* What was open stays open. */
static struct ptl_browse_node *new_nodes(struct ptl_process_rows *rows,
					 size_t nr)
{
	struct ptl_browse_node *node = ptl_alloc((nr + 1) * sizeof(*node));

	for (size_t i = 0; i < nr && i < rows->nr; i++)
		node[i].is_open = rows->node[i].is_open;
	free(rows->node);
	return node;
}

void ptl_process_rows_take(struct ptl_process_rows *rows,
			   const struct ptl_browse_reading *reading,
			   bool is_filtered)
{
	size_t known = rows->nr;

	rows->node = new_nodes(rows, reading->nr_processes);
	rows->reading = reading;
	rows->nr = reading->nr_processes;
	count_events(rows);
	for (size_t i = 0; i < rows->nr; i++)
		find_depth(rows, i);
	keep(rows, is_filtered);
	for (size_t i = known; i < rows->nr; i++)
		rows->node[i].is_open = rows->nr <= OPEN_MAX ||
					rows->node[i].depth < OPEN_DEPTH;
	ptl_table_free(&rows->all);
	ptl_table_begin(&rows->all, ptl_process_rows_columns);
	for (size_t i = 0; i < rows->nr; i++)
		add_row(rows, i);
}

void ptl_process_rows_free(struct ptl_process_rows *rows)
{
	free_labels(rows);
	ptl_table_free(&rows->all);
	ptl_table_free(&rows->table);
	free(rows->node);
	free(rows->order);
	*rows = (struct ptl_process_rows){0};
}

/* Links the children of each, in the order of the sorted rows; returns the
 * first root. */
static size_t link_nodes(struct ptl_process_rows *rows)
{
	size_t root = NO_PROCESS;

	for (size_t i = 0; i < rows->nr; i++)
		rows->node[i].child = NO_PROCESS;
	for (size_t i = rows->all.nr; i-- > 0;) {
		const struct ptl_process *process = rows->all.row[i].of;
		struct ptl_browse_node *node = &rows->node[process->number];
		size_t *first = node->parent != NO_PROCESS ?
					&rows->node[node->parent].child :
					&root;

		node->row = &rows->all.row[i];
		if (!node->is_kept)
			continue;
		node->sibling = *first;
		*first = process->number;
	}
	return root;
}

/* The next one in the whole tree. */
static size_t step(const struct ptl_process_rows *rows, size_t at)
{
	if (rows->node[at].child != NO_PROCESS)
		return rows->node[at].child;
	while (at != NO_PROCESS && rows->node[at].sibling == NO_PROCESS)
		at = rows->node[at].parent;
	return at != NO_PROCESS ? rows->node[at].sibling : NO_PROCESS;
}

/* Lines from those above it, as far as they are not too deep. */
static size_t put_indent(const struct ptl_process_rows *rows, size_t number,
			 char *text, size_t size)
{
	const char *sign[INDENT_MAX] = {NULL};
	size_t nr = 0, used = 0, at = number;

	while (rows->node[at].parent != NO_PROCESS && nr < INDENT_MAX) {
		bool is_last = rows->node[at].sibling == NO_PROCESS;

		if (at == number)
			sign[nr++] = ptl_screen_sign(is_last ? "└" : "├");
		else
			sign[nr++] = is_last ? " " : ptl_screen_sign("│");
		at = rows->node[at].parent;
	}
	while (nr-- > 0)
		used += (size_t)snprintf(text + used, size - used, "%s ",
					 sign[nr]);
	return used;
}

/* "├ + cc1[2131] -quiet", and how many are inside if it is not open. */
static char *label_of(const struct ptl_process_rows *rows, size_t number)
{
	const struct ptl_process *process = rows->reading->process[number];
	const struct ptl_browse_node *node = &rows->node[number];
	char text[LABEL_SIZE], inside[64] = "", failed[32] = "";
	char rank[PTL_PROCESS_RANK_SIZE];
	size_t used = put_indent(rows, number, text, sizeof(text));

	if (node->failed > 0)
		snprintf(failed, sizeof(failed), ", %zu failed", node->failed);
	if (node->child != NO_PROCESS && !node->is_open)
		snprintf(inside, sizeof(inside), " (%zu inside%s)",
			 node->inside, failed);
	snprintf(text + used, sizeof(text) - used, "%s%s%s%s%s[%d]%s%s %s",
		 node->child == NO_PROCESS ? "" :
		 node->is_open		   ? "- " :
					     "+ ",
		 process->host != NULL ? process->host : "",
		 process->host != NULL ? ": " : "",
		 ptl_process_rank(process, rank), ptl_process_program(process),
		 process->pid, inside, ptl_tags_shown(&process->tags),
		 ptl_process_arguments(process));
	return strdup(text);
}

static void show_row(struct ptl_process_rows *rows, size_t number)
{
	struct ptl_row *row =
		ptl_table_row(&rows->table, rows->reading->process[number]);
	size_t rank = row->rank;
	char *label = label_of(rows, number);

	*row = *rows->node[number].row;
	row->rank = rank;
	row->cell[PROCESS] = ptl_cell_text(label != NULL ? label : "");
	rows->label[rows->nr_labels++] = label;
}

static bool is_shown(const struct ptl_process_rows *rows, size_t number)
{
	size_t above = rows->node[number].parent;

	while (above != NO_PROCESS && rows->node[above].is_open)
		above = rows->node[above].parent;
	return above == NO_PROCESS;
}

void ptl_process_rows_make(struct ptl_process_rows *rows, const char *sort)
{
	size_t at;

	free_labels(rows);
	ptl_table_free(&rows->table);
	ptl_table_begin(&rows->table, ptl_process_rows_columns);
	ptl_table_sort(&rows->all, sort, SIZE_MAX);
	rows->table.by = rows->all.by;
	rows->table.is_narrow = true;
	free(rows->order);
	rows->order = ptl_alloc((rows->nr + 1) * sizeof(*rows->order));
	rows->nr_order = 0;
	rows->label = ptl_alloc((rows->nr + 1) * sizeof(*rows->label));
	for (at = link_nodes(rows); at != NO_PROCESS; at = step(rows, at))
		rows->order[rows->nr_order++] = at;
	for (size_t i = 0; i < rows->nr_order; i++)
		if (is_shown(rows, rows->order[i]))
			show_row(rows, rows->order[i]);
}

bool ptl_process_rows_is_open(const struct ptl_process_rows *rows,
			      const struct ptl_process *process)
{
	return rows->node[process->number].is_open;
}

bool ptl_process_rows_has_children(const struct ptl_process_rows *rows,
				   const struct ptl_process *process)
{
	return rows->node[process->number].child != NO_PROCESS;
}

bool ptl_process_rows_open(struct ptl_process_rows *rows,
			   const struct ptl_process *process, bool is_open)
{
	struct ptl_browse_node *node = &rows->node[process->number];

	if (node->child == NO_PROCESS || node->is_open == is_open)
		return false;
	node->is_open = is_open;
	return true;
}

void ptl_process_rows_open_all(struct ptl_process_rows *rows, bool is_open)
{
	for (size_t i = 0; i < rows->nr; i++)
		rows->node[i].is_open = is_open;
}

void ptl_process_rows_open_to(struct ptl_process_rows *rows,
			      const struct ptl_process *process)
{
	size_t at = rows->node[process->number].parent;

	for (; at != NO_PROCESS; at = rows->node[at].parent)
		rows->node[at].is_open = true;
}

static bool has_words(const struct ptl_process *process, const char *words)
{
	char text[LABEL_SIZE], rank[PTL_PROCESS_RANK_SIZE];

	snprintf(text, sizeof(text), "%s%s[%d]%s %s",
		 ptl_process_rank(process, rank), ptl_process_program(process),
		 process->pid, ptl_tags_shown(&process->tags),
		 ptl_process_arguments(process));
	return strcasestr(text, words) != NULL;
}

const struct ptl_process *
ptl_process_rows_search(const struct ptl_process_rows *rows,
			const struct ptl_process *from, const char *words,
			bool is_backwards)
{
	size_t nr = rows->nr_order, start = 0;

	while (start < nr && rows->reading->process[rows->order[start]] != from)
		start++;
	for (size_t i = 1; i <= nr; i++) {
		size_t at = (start + (is_backwards ? nr - i : i)) % nr;
		const struct ptl_process *process =
			rows->reading->process[rows->order[at]];

		if (has_words(process, words))
			return process;
	}
	return NULL;
}
