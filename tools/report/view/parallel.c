/* SPDX-License-Identifier: MIT */
/* How many processes were at work at a time; see parallel.h. */
#include "tools/report/view/parallel.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

/* A process begins or ends. */
struct turn {
	int64_t at;
	bool is_end;
	const struct ptl_process *process;
};

/* Of one time first those that begin, so that a child replaces its parent. */
static int compare_turns(const void *left, const void *right)
{
	const struct turn *a = left, *b = right;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	if (a->is_end != b->is_end)
		return a->is_end - b->is_end;
	return a->process->number < b->process->number ? -1 : 1;
}

/* So many are at work from one time to another. */
static void add(struct ptl_parallel *parallel, int64_t from, int64_t to,
		uint64_t nr)
{
	while (from < to) {
		int64_t slot = from / parallel->slot_size, end;

		if (slot >= PTL_PARALLEL_SLOTS)
			return;
		end = (slot + 1) * parallel->slot_size;
		if (end > to)
			end = to;
		parallel->slot[slot] += (end - from) * (int64_t)nr;
		parallel->busy += (end - from) * (int64_t)nr;
		from = end;
	}
}

static int compare_begins(const void *left, const void *right)
{
	const struct ptl_process *const *a = left, *const *b = right;

	if ((*a)->begin != (*b)->begin)
		return (*a)->begin < (*b)->begin ? -1 : 1;
	return (*a)->number < (*b)->number ? -1 : 1;
}

int64_t ptl_parallel_alone(const struct ptl_process *process, int64_t from,
			   int64_t to)
{
	const struct ptl_process **child, *next;
	int64_t alone = 0;
	size_t nr = 0;

	for (next = process->child; next != NULL; next = next->sibling)
		nr++;
	child = ptl_alloc((nr + 1) * sizeof(const struct ptl_process *));
	nr = 0;
	for (next = process->child; next != NULL; next = next->sibling)
		child[nr++] = next;
	qsort(child, nr, sizeof(const struct ptl_process *), compare_begins);
	for (size_t i = 0; i < nr && from < to; i++) {
		if (child[i]->begin > from)
			alone += (child[i]->begin < to ? child[i]->begin : to) -
				 from;
		if (child[i]->end > from)
			from = child[i]->end;
	}
	free(child);
	return from < to ? alone + to - from : alone;
}

/* What a turn changes; `children' counts those that live, by process. */
static void take(const struct turn *turn, unsigned int *children, bool *lives,
		 uint64_t *nr)
{
	const struct ptl_process *process = turn->process;
	const struct ptl_process *parent = process->parent;
	bool is_counted = parent != NULL && lives[parent->number];

	if (!turn->is_end) {
		lives[process->number] = true;
		*nr += children[process->number] == 0;
		if (parent != NULL && children[parent->number]++ == 0)
			*nr -= is_counted;
	} else {
		lives[process->number] = false;
		*nr -= children[process->number] == 0;
		if (parent != NULL && --children[parent->number] == 0)
			*nr += is_counted;
	}
}

void ptl_parallel_find(struct ptl_parallel *parallel,
		       const struct ptl_model *model)
{
	size_t nr = ptl_processes_nr(model->processes), nr_turns = 0;
	struct turn *turn = ptl_alloc((2 * nr + 1) * sizeof(*turn));
	unsigned int *children = ptl_alloc((nr + 1) * sizeof(*children));
	bool *lives = ptl_alloc(nr + 1);
	uint64_t at_work = 0;

	memset(parallel, 0, sizeof(*parallel));
	parallel->slot_size = ptl_model_wall(model) / PTL_PARALLEL_SLOTS + 1;
	for (const struct ptl_process *process =
		     ptl_processes_first_traced(model->processes);
	     process != NULL; process = ptl_process_next_traced(process)) {
		turn[nr_turns++] =
			(struct turn){process->begin, false, process};
		turn[nr_turns++] = (struct turn){process->end, true, process};
	}
	qsort(turn, nr_turns, sizeof(*turn), compare_turns);
	for (size_t i = 0; i < nr_turns; i++) {
		if (i > 0)
			add(parallel, turn[i - 1].at - model->begin,
			    turn[i].at - model->begin, at_work);
		take(&turn[i], children, lives, &at_work);
		if (i + 1 < nr_turns && turn[i + 1].at > turn[i].at &&
		    at_work > parallel->max)
			parallel->max = at_work;
	}
	free(turn);
	free(children);
	free(lives);
}
