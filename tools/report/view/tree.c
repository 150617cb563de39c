/* SPDX-License-Identifier: MIT */
/*
 * The tree of processes; see tree.h.  Of the children that run one program the
 * one that took longest is shown, with what is below it, and one line for the
 * others.
 */
#include "tools/report/view/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/lib/number.h"
#include "tools/report/show/screen.h"
#include "tools/report/show/table.h"

#define MAX_DEPTH 3
#define MAX_LINES 20
#define FEW_FAILED 3

static const struct ptl_column columns[] = {
	{"WALL", NULL, PTL_COLUMN_DURATION}, {"CPU", NULL, PTL_COLUMN_DURATION},
	{"MAXRSS", NULL, PTL_COLUMN_BYTES},  {"EXIT", NULL, PTL_COLUMN_TEXT},
	{"PROCESS", NULL, PTL_COLUMN_TEXT},  {0},
};

/* Children of one program. */
struct group {
	const struct ptl_process *longest;
	size_t nr, nr_failed, nr_below;
	const struct ptl_process *failed[FEW_FAILED]; /* the first, in turn */
	int64_t shortest, second;		      /* but for the longest */
	int64_t cpu, maxrss;
	bool is_wall_least, is_cpu_least, is_open;
};

struct tree {
	struct ptl_table table;
	size_t left_out; /* processes */
};

static int64_t wall_of(const struct ptl_process *process)
{
	return process->end - process->begin;
}

static size_t nr_below(const struct ptl_process *process)
{
	const struct ptl_process *at = process;
	size_t nr = 0;

	/* Without recursion: trees of foreign logs are as deep as they like. */
	for (;;) {
		if (at->child != NULL) {
			at = at->child;
		} else {
			while (at != process && at->sibling == NULL)
				at = at->parent;
			if (at == process)
				return nr;
			at = at->sibling;
		}
		nr++;
	}
}

/* What stands in the last column: foreign bytes behind our prefix.  A host has
 * its trees to itself: it is said at the root.  A rank is that of one process,
 * and not of a line for several. */
static const char *label(const char *prefix, const struct ptl_process *process,
			 const char *rank, const char *number, const char *more)
{
	bool has_host = process->parent == NULL && process->host != NULL;
	const char *part[] = {prefix,
			      has_host ? process->host : "",
			      has_host ? ": " : "",
			      rank,
			      ptl_process_program(process),
			      number,
			      " ",
			      more};
	size_t size = 1;
	const char *label;
	char *buf;

	for (size_t i = 0; i < sizeof(part) / sizeof(*part); i++)
		size += strlen(part[i]);
	buf = ptl_alloc(size);
	for (size_t i = 0; i < sizeof(part) / sizeof(*part); i++)
		strcat(buf, part[i]);
	label = ptl_intern(buf, size);
	free(buf);
	return label;
}

static bool is_full(struct tree *tree, const struct ptl_process *process)
{
	if (tree->table.nr < MAX_LINES)
		return false;
	tree->left_out += 1 + nr_below(process);
	return true;
}

static void put_process(struct tree *tree, const struct ptl_process *process,
			const char *prefix)
{
	struct ptl_row *row = ptl_table_row(&tree->table, process);
	char exit[16], number[512], rank[PTL_PROCESS_RANK_SIZE];

	row->cell[0] = ptl_cell_number(wall_of(process));
	row->cell[0].is_least = !ptl_process_is_whole(process);
	row->cell[1] = ptl_cell_maybe(ptl_process_cpu(process));
	if (process->maxrss_kib >= 0)
		row->cell[2] = ptl_cell_number(process->maxrss_kib * 1024);
	ptl_process_exit(process, exit);
	row->cell[3] = ptl_cell_text(ptl_intern(exit, sizeof(exit)));
	row->cell[3].is_failure = ptl_process_failed(process);
	snprintf(number, sizeof(number), "[%d]%s", process->pid,
		 ptl_tags_shown(&process->tags));
	row->cell[4] = ptl_cell_text(
		label(prefix, process, ptl_process_rank(process, rank), number,
		      ptl_process_arguments(process)));
}

/* Which of the others failed: the first of them, as children are the last
 * first. */
static void say_failed(const struct group *group, char *to, size_t size)
{
	size_t nr = group->nr_failed, used = 0;
	char exit[16];

	*to = '\0';
	for (size_t i = 0; i < nr && i < FEW_FAILED && used < size; i++) {
		const struct ptl_process *process =
			group->failed[(nr - 1 - i) % FEW_FAILED];

		used += (size_t)snprintf(to + used, size - used, "%s[%d] %s",
					 i == 0 ? "; failed: " : ", ",
					 process->pid,
					 ptl_process_exit(process, exit));
	}
	if (nr > FEW_FAILED && used < size)
		snprintf(to + used, size - used, " and %zu more",
			 nr - FEW_FAILED);
}

/* The others of a group, but for the one that is shown. */
static void put_others(struct tree *tree, const struct group *group,
		       const char *prefix)
{
	char shortest[PTL_NUMBER_SIZE], longest[PTL_NUMBER_SIZE];
	char words[400], failed[160], number[32], exit[32] = "0";
	struct ptl_row *row = ptl_table_row(&tree->table, NULL);
	char below[48] = "";

	if (group->nr_below > 0)
		snprintf(below, sizeof(below), ", %zu below them",
			 group->nr_below);
	say_failed(group, failed, sizeof(failed));
	snprintf(words, sizeof(words), "more (%s to %s wall; CPU summed%s%s)",
		 ptl_number_duration(shortest, group->shortest),
		 ptl_number_duration(longest, group->second), below, failed);
	if (group->nr_failed > 0)
		snprintf(exit, sizeof(exit), "%zu failed", group->nr_failed);
	else if (group->is_open)
		strcpy(exit, "?");
	row->cell[0] = ptl_cell_number(group->second);
	row->cell[0].is_least = group->is_wall_least;
	row->cell[1] = ptl_cell_maybe(group->cpu);
	row->cell[1].is_least = group->is_cpu_least;
	row->cell[2] = ptl_cell_maybe(group->maxrss);
	row->cell[3] = ptl_cell_text(ptl_intern(exit, sizeof(exit)));
	row->cell[3].is_failure = group->nr_failed > 0;
	snprintf(number, sizeof(number), " and %zu", group->nr - 1);
	row->cell[4] =
		ptl_cell_text(label(prefix, group->longest, "", number, words));
}

/* Two of a program have a line each. */
static struct group *part_pairs(struct group *group, size_t *nr, size_t room,
				const struct ptl_process *process)
{
	const struct ptl_process *child;

	for (size_t i = 0, nr_before = *nr; i < nr_before; i++) {
		if (group[i].nr != 2)
			continue;
		for (child = process->child; child != NULL;
		     child = child->sibling)
			if (child != group[i].longest &&
			    ptl_process_program(child) ==
				    ptl_process_program(group[i].longest))
				break;
		group[i].nr = 1;
		group = ptl_grow(group, *nr, &room, sizeof(*group));
		group[(*nr)++] = (struct group){.longest = child, .nr = 1};
	}
	return group;
}

static struct group *find_groups(const struct ptl_process *process, size_t *nr)
{
	struct ptl_hash groups = {.value_size = sizeof(struct group *)};
	struct group *group = NULL, *found;
	size_t room = 0, nr_groups = 0;
	const struct ptl_process *child;

	for (child = process->child; child != NULL; child = child->sibling) {
		const char *program = ptl_process_program(child);
		size_t *place =
			ptl_hash_get(&groups, &program, sizeof(program));

		if (*place == 0) {
			group = ptl_grow(group, nr_groups, &room,
					 sizeof(*group));
			group[nr_groups] = (struct group){.shortest = INT64_MAX,
							  .second = -1,
							  .cpu = -1,
							  .maxrss = -1};
			*place = ++nr_groups;
		}
		found = &group[*place - 1];
		found->nr++;
		if (found->longest == NULL ||
		    wall_of(child) >= wall_of(found->longest))
			found->longest = child;
	}
	ptl_hash_clear(&groups);
	*nr = nr_groups;
	return part_pairs(group, nr, room, process);
}

/* What the line for the others says. */
static void add_others(struct group *group, const struct ptl_process *process)
{
	const struct ptl_process *child;

	for (child = process->child; child != NULL; child = child->sibling) {
		int64_t cpu = ptl_process_cpu(child);

		if (child == group->longest ||
		    ptl_process_program(child) !=
			    ptl_process_program(group->longest))
			continue;
		if (wall_of(child) < group->shortest)
			group->shortest = wall_of(child);
		if (wall_of(child) > group->second)
			group->second = wall_of(child);
		if (cpu < 0)
			group->is_cpu_least = true;
		else
			group->cpu = cpu + (group->cpu < 0 ? 0 : group->cpu);
		if (child->maxrss_kib * 1024 > group->maxrss)
			group->maxrss = child->maxrss_kib * 1024;
		if (ptl_process_failed(child))
			group->failed[group->nr_failed++ % FEW_FAILED] = child;
		group->is_open |= !child->is_ended;
		group->is_wall_least |= !ptl_process_is_whole(child);
		group->nr_below += nr_below(child);
	}
}

static int compare_groups(const void *left, const void *right)
{
	const struct group *a = left, *b = right;

	return a->longest->begin < b->longest->begin ? -1 : 1;
}

static void put_below(struct tree *tree, const struct ptl_process *process,
		      const char *prefix, unsigned int depth);

static void put_tree(struct tree *tree, const struct ptl_process *process,
		     const char *prefix, const char *below, unsigned int depth)
{
	if (is_full(tree, process))
		return;
	put_process(tree, process, prefix);
	if (depth < MAX_DEPTH)
		put_below(tree, process, below, depth);
	else
		tree->left_out += nr_below(process);
}

/* "│ ├ ": what stands before a name, by what stands before its parent's. */
static void join(char *to, size_t size, const char *prefix, const char *sign)
{
	snprintf(to, size, "%s%s ", prefix, sign);
}

static void put_below(struct tree *tree, const struct ptl_process *process,
		      const char *prefix, unsigned int depth)
{
	size_t nr;
	struct group *group = find_groups(process, &nr);

	if (nr > 1)
		qsort(group, nr, sizeof(*group), compare_groups);
	for (size_t i = 0; i < nr; i++) {
		bool has_others = group[i].nr > 1;
		bool is_last = i + 1 == nr;
		char own[64], below[64];

		join(own, sizeof(own), prefix,
		     ptl_screen_sign(is_last && !has_others ? "└" : "├"));
		join(below, sizeof(below), prefix,
		     is_last && !has_others ? " " : ptl_screen_sign("│"));
		put_tree(tree, group[i].longest, own, below, depth + 1);
		if (!has_others)
			continue;
		add_others(&group[i], process);
		join(own, sizeof(own), prefix,
		     ptl_screen_sign(is_last ? "└" : "├"));
		if (tree->table.nr < MAX_LINES)
			put_others(tree, &group[i], own);
		else
			tree->left_out += group[i].nr - 1 + group[i].nr_below;
	}
	free(group);
}

void ptl_tree_print(const struct ptl_model *model)
{
	const struct ptl_process *process =
		ptl_processes_first_traced(model->processes);
	struct tree tree = {0};

	ptl_table_begin(&tree.table, columns);
	for (; process != NULL; process = ptl_process_next_traced(process))
		if (process->parent == NULL)
			put_tree(&tree, process, "", "", 0);
	if (tree.table.nr > 0)
		ptl_table_print(&tree.table, NULL);
	if (tree.left_out > 0) {
		ptl_line("and %zu process%s more: --processes", tree.left_out,
			 tree.left_out == 1 ? "" : "es");
		ptl_line_end();
	}
	ptl_table_free(&tree.table);
}
