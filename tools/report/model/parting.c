/* SPDX-License-Identifier: MIT */
/* Where two runs that ended differently part; see parting.h. */
#include "tools/report/model/parting.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

struct child {
	const struct ptl_process *process;
	const char *exact; /* program and arguments */
	const char *program;
	const struct child *other; /* NULL: only this run has it */
	size_t forked_at;
};

struct children {
	struct child *child; /* as they were forked */
	size_t nr;
};

/* What both walks know. */
struct walk {
	const struct ptl_story *story[2];
	struct ptl_processes *processes[2];
};

static const struct ptl_process *next_child(const struct walk *walk, int run,
					    const struct ptl_process *parent,
					    const struct ptl_process *child)
{
	if (parent != NULL)
		return child == NULL ? parent->child : child->sibling;
	child = child == NULL ? ptl_processes_first(walk->processes[run]) :
				child->next;
	while (child != NULL && child->parent != NULL)
		child = child->next;
	return child;
}

static void describe(const struct walk *walk, int run,
		     const struct ptl_process *process, struct child *child)
{
	const struct ptl_story_process *told = ptl_hash_find(
		&walk->story[run]->processes, &process, sizeof(process));

	child->process = process;
	child->forked_at = told != NULL ? told->forked_at : 0;
	child->program = process->image != NULL ?
				 process->image->program :
				 ptl_label_name(process->label);
	child->exact = ptl_story_fold(ptl_process_arguments(process));
}

/* The children of a process; those of NULL have no parent. */
static struct children children_of(const struct walk *walk, int run,
				   const struct ptl_process *parent)
{
	struct children children = {0};
	const struct ptl_process *process = NULL;
	size_t at = 0;

	while ((process = next_child(walk, run, parent, process)) != NULL)
		children.nr++;
	children.child = ptl_alloc((children.nr + 1) * sizeof(*children.child));
	while ((process = next_child(walk, run, parent, process)) != NULL) {
		/* The last child is the first there. */
		describe(walk, run, process,
			 &children.child[parent != NULL ? children.nr - 1 - at :
							  at]);
		at++;
	}
	return children;
}

static void match(struct children *a, struct children *b, bool is_exact)
{
	size_t from = 0;

	for (size_t i = 0; i < a->nr; i++) {
		struct child *child = &a->child[i];

		while (from < b->nr && b->child[from].other != NULL)
			from++;
		for (size_t k = from; k < b->nr && child->other == NULL; k++) {
			if (b->child[k].other != NULL ||
			    strcmp(b->child[k].program, child->program) != 0 ||
			    (is_exact && b->child[k].exact != child->exact))
				continue;
			child->other = &b->child[k];
			b->child[k].other = child;
		}
	}
}

static void match_children(const struct walk *walk,
			   const struct ptl_process *const parent[2],
			   struct children children[2])
{
	for (int run = 0; run < 2; run++)
		children[run] = children_of(walk, run, parent[run]);
	match(&children[0], &children[1], true);
	match(&children[0], &children[1], false);
}

static void free_children(struct children children[2])
{
	free(children[0].child);
	free(children[1].child);
}

static const struct ptl_tale *tale_of(const struct walk *walk, int run,
				      const struct ptl_process *process)
{
	const struct ptl_story_process *told = ptl_hash_find(
		&walk->story[run]->processes, &process, sizeof(process));

	return told != NULL ? told->first : NULL;
}

static bool is_same(const struct ptl_story_event *a,
		    const struct ptl_story_event *b)
{
	if (a->bytes != b->bytes)
		return false;
	return a->what == b->what ||
	       ptl_story_fold(a->what) == ptl_story_fold(b->what);
}

/* Returns false if the two tales, each of which may be NULL, are the same. */
static bool compare(const struct ptl_tale *a, const struct ptl_tale *b,
		    struct ptl_parting *parting)
{
	size_t nr_a = a != NULL ? a->nr : 0, nr_b = b != NULL ? b->nr : 0;
	size_t at = 0;

	while (at < nr_a && at < nr_b && is_same(&a->event[at], &b->event[at]))
		at++;
	parting->at = at;
	parting->event[0] = at < nr_a ? &a->event[at] : NULL;
	parting->event[1] = at < nr_b ? &b->event[at] : NULL;
	parting->is_cut = (a != NULL && a->is_cut) || (b != NULL && b->is_cut);
	return at < nr_a || at < nr_b;
}

static bool only_one_has(const struct child *child, int run,
			 struct ptl_parting *parting)
{
	*parting = (struct ptl_parting){0};
	parting->process[run] = child->process;
	return true;
}

static bool find_first(const struct walk *walk,
		       const struct ptl_process *const process[2],
		       struct ptl_parting *parting);

/* Below the children that were forked before the events part. */
static bool find_below(const struct walk *walk,
		       const struct ptl_process *const process[2], size_t at,
		       struct ptl_parting *parting)
{
	struct children children[2];
	bool is_found = false;
	size_t i = 0, k = 0;

	match_children(walk, process, children);
	while (!is_found) {
		const struct child *a = &children[0].child[i];
		const struct child *b = &children[1].child[k];
		bool has_a = i < children[0].nr && a->forked_at <= at;
		bool has_b = k < children[1].nr && b->forked_at <= at;

		if (has_b && b->other != NULL) {
			k++; /* found by the other one */
		} else if (has_a && a->other != NULL) {
			const struct ptl_process *const pair[] = {
				a->process, a->other->process};

			is_found = find_first(walk, pair, parting);
			i++;
		} else if (has_a && (!has_b || a->forked_at <= b->forked_at)) {
			is_found = only_one_has(a, 0, parting);
		} else if (has_b) {
			is_found = only_one_has(b, 1, parting);
		} else {
			break;
		}
	}
	free_children(children);
	return is_found;
}

/* In a process that both have, and all below it. */
static bool find_first(const struct walk *walk,
		       const struct ptl_process *const process[2],
		       struct ptl_parting *parting)
{
	struct ptl_parting own = {.process = {process[0], process[1]}};
	const struct ptl_tale *tale[2];
	bool is_other;

	for (int run = 0; run < 2; run++)
		tale[run] = tale_of(walk, run, process[run]);
	is_other = compare(tale[0], tale[1], &own);
	if (find_below(walk, process, is_other ? own.at : SIZE_MAX, parting))
		return true;
	while (!is_other && tale[0] != NULL && tale[1] != NULL) {
		tale[0] = tale[0]->next;
		tale[1] = tale[1]->next;
		is_other = compare(tale[0], tale[1], &own);
	}
	*parting = own;
	return is_other;
}

static bool is_end_same(const struct ptl_process *a,
			const struct ptl_process *b)
{
	return a->is_ended == b->is_ended && a->status == b->status &&
	       a->signal == b->signal;
}

/* The first pair that ended differently, without one below it that did. */
static bool find_ended(const struct walk *walk,
		       const struct ptl_process *const parent[2],
		       struct ptl_partings *partings)
{
	struct children children[2];
	bool is_found = false;

	match_children(walk, parent, children);
	for (size_t i = 0; i < children[0].nr && !is_found; i++) {
		const struct child *child = &children[0].child[i];
		const struct ptl_process *const pair[] = {
			child->process,
			child->other != NULL ? child->other->process : NULL};

		if (pair[1] == NULL)
			continue;
		is_found = find_ended(walk, pair, partings);
		if (is_found || is_end_same(pair[0], pair[1]))
			continue;
		partings->ended[0] = pair[0];
		partings->ended[1] = pair[1];
		is_found = true;
	}
	free_children(children);
	return is_found;
}

void ptl_partings_find(struct ptl_partings *partings, struct ptl_processes *a,
		       const struct ptl_story *of_a, struct ptl_processes *b,
		       const struct ptl_story *of_b)
{
	const struct walk walk = {{of_a, of_b}, {a, b}};
	const struct ptl_process *const none[2] = {NULL, NULL};

	*partings = (struct ptl_partings){0};
	if (!find_ended(&walk, none, partings))
		return;
	partings->has_first =
		find_below(&walk, none, SIZE_MAX, &partings->first);
	partings->has_own = find_first(&walk, partings->ended, &partings->own);
}
