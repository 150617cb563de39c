/* SPDX-License-Identifier: MIT */
/*
 * Calls as paths; see call_paths.h.  Of a log with exits of functions they are
 * worth their times, and those of libc's calls inside of them; of one with call
 * stacks, the number of events; of one with entries of functions only, the
 * number of these; else the times of libc's calls.
 */
#include "tools/report/model/call_paths.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/say.h"
#include "tools/model/heaps.h"
#include "tools/report/model/call_sums.h"
#include "tools/report/model/nests.h"

struct ptl_call_paths {
	struct ptl_nests nests;
	struct ptl_paths times, stacks, entries;
	struct ptl_call_sums sums;
	struct ptl_hash known; /* struct ptl_path *, by root, stack and event */
	struct ptl_hash last; /* struct ptl_path *, by thread: what it called */
	struct ptl_hash names; /* strings, by function and library */
	struct ptl_model *model;
	struct ptl_heaps *heaps; /* of what has a call stack */
	bool has_stacks, has_entries;
	bool has_untimed; /* entries of functions with call stacks */
	bool has_sums;
};

/* Below its host, if there are several.  One that is not known yet has a path
 * of its own. */
static struct ptl_path *program_of(struct ptl_paths *paths,
				   const struct ptl_step *step)
{
	const struct ptl_label *label = step->process->label;
	const char *host = step->process->host;
	struct ptl_path *path = &paths->root;
	char own[32];

	if (host != NULL) {
		path = ptl_paths_get(paths, path, host);
		path->is_host = true;
	}
	if (label->name != NULL) {
		path = ptl_paths_get(paths, path, label->name);
		path->is_program = true;
		return path;
	}
	snprintf(own, sizeof(own), "[process %zu]", step->process->number);
	path = ptl_paths_get(paths, path, ptl_intern(own, sizeof(own)));
	path->late = label;
	path->is_program = true;
	return path;
}

/* After the last event. */
static void name_programs(struct ptl_path *path)
{
	for (; path != NULL; path = path->sibling) {
		if (path->late != NULL)
			path->name = ptl_label_name(path->late);
		else if (path->is_host)
			name_programs(path->child);
	}
}

static void enter(void *of, const struct ptl_step *step,
		  const struct ptl_frame *outer, struct ptl_frame *frame)
{
	struct ptl_call_paths *calls = of;
	struct ptl_path *path =
		outer != NULL ? outer->of : program_of(&calls->times, step);

	path = ptl_paths_get(&calls->times, path, frame->function->name);
	path->nr++;
	frame->of = path;
}

static void leave(void *of, const struct ptl_frame *outer,
		  const struct ptl_frame *frame, int64_t duration, int64_t self)
{
	struct ptl_path *path = frame->of;

	(void)of;
	(void)outer;
	if (duration < 0)
		path->nr_open++;
	else
		path->self += self;
	path->ns = path->self;
}

static const char *name_of(struct ptl_call_paths *calls, const char *function,
			   const char *library);

static void add_summary(void *of, const struct ptl_step *step,
			const struct ptl_function *function, uint64_t nr,
			int64_t total)
{
	struct ptl_call_paths *calls = of;
	int64_t self = ptl_step_number(step, "self", 0);

	calls->has_sums = true;
	ptl_call_sums_add(&calls->sums,
			  &(struct ptl_call_sum){
				  .program = program_of(&calls->times, step),
				  .caller = ptl_model_site(step)->function,
				  .callee = name_of(calls, function->name,
						    function->library),
				  .nr = nr,
				  .nr_open = total < 0 ? nr : 0,
				  .total = total < 0 ? 0 : total,
				  .self = self < 0 ? 0 : self,
			  });
}

struct ptl_call_paths *ptl_call_paths_new(struct ptl_model *model, bool folds)
{
	struct ptl_call_paths *calls = ptl_alloc(sizeof(*calls));

	ptl_paths_begin(&calls->times);
	ptl_paths_begin(&calls->stacks);
	ptl_paths_begin(&calls->entries);
	calls->times.folds = calls->stacks.folds = folds;
	calls->known.value_size = sizeof(struct ptl_path *);
	calls->last.value_size = sizeof(struct ptl_path *);
	calls->names.value_size = sizeof(const char *);
	calls->model = model;
	calls->heaps = ptl_heaps_new();
	calls->nests.of = calls;
	calls->nests.enter = enter;
	calls->nests.leave = leave;
	calls->nests.summary = add_summary;
	ptl_call_sums_begin(&calls->sums);
	ptl_nests_begin(&calls->nests, model);
	return calls;
}

void ptl_call_paths_free(struct ptl_call_paths *calls)
{
	ptl_nests_free(&calls->nests);
	if (calls->heaps != NULL)
		ptl_heaps_free(calls->heaps);
	ptl_paths_free(&calls->times);
	ptl_paths_free(&calls->stacks);
	ptl_paths_free(&calls->entries);
	ptl_call_sums_free(&calls->sums);
	ptl_hash_clear(&calls->known);
	ptl_hash_clear(&calls->last);
	ptl_hash_clear(&calls->names);
	free(calls);
}

static struct ptl_path *path_of(struct ptl_call_paths *calls,
				struct ptl_path *root,
				const struct ptl_stack *stack)
{
	struct ptl_path *caller = root;

	if (stack->caller != NULL)
		caller = path_of(calls, root, stack->caller);
	return ptl_paths_get(&calls->stacks, caller, stack->site->function);
}

/* "main (prog)": as a site's function is named. */
static const char *name_of(struct ptl_call_paths *calls, const char *function,
			   const char *library)
{
	const char *key[] = {function, library}, **name;
	char text[2048];

	/* An address is named with its file. */
	if (library == NULL || function == NULL || function[0] == '+')
		return function;
	name = ptl_hash_get(&calls->names, key, sizeof(key));
	if (*name == NULL) {
		snprintf(text, sizeof(text), "%s (%s)", function, library);
		*name = ptl_intern(text, sizeof(text));
	}
	return *name;
}

/* What is on top of a stack: the function that is called, or the event. */
static const char *top_of(struct ptl_call_paths *calls,
			  const struct ptl_step *step)
{
	const char *function = NULL;

	if (ptl_act_enters(step->kind->act))
		function = ptl_step_string(step, "function");
	if (function == NULL)
		return step->kind->name;
	return name_of(calls, function, ptl_step_string(step, "library"));
}

/* The outermost frame comes first, the event last. */
static void learn_stack(struct ptl_call_paths *calls,
			const struct ptl_step *step)
{
	const struct ptl_source *source = step->view->source;
	const struct ptl_stack *stack = ptl_model_stack(step);
	struct ptl_path *path = program_of(&calls->stacks, step), **known;
	const char *top;
	const void *key[3];

	calls->has_stacks = true;
	calls->has_untimed |= ptl_act_enters(step->kind->act);
	if (source->nr_stack >= ptl_model_stack_depth(step->model, source))
		path = ptl_paths_get(&calls->stacks, path,
				     ptl_intern("[truncated stack]", 17));
	key[0] = path;
	key[1] = stack;
	key[2] = top = top_of(calls, step);
	known = ptl_hash_get(&calls->known, key, sizeof(key));
	if (*known == NULL)
		*known = ptl_paths_get(&calls->stacks,
				       path_of(calls, path, stack), top);
	(*known)->self++;
	(*known)->nr++;
	if (step->duration > 0)
		(*known)->ns += step->duration;
	(*known)->bytes += ptl_step_allocated(step);
	ptl_heaps_learn(calls->heaps, step, *known);
}

/*
 * Of a call it is known only which function makes it: that is one of those that
 * were called before and have not returned, as far as can be told; the
 * outermost of its name, so that paths end where functions call each other in a
 * circle.
 */
static void learn_entry(struct ptl_call_paths *calls,
			const struct ptl_step *step)
{
	struct ptl_path **last =
		ptl_hash_get(&calls->last, &step->thread, sizeof(step->thread));
	struct ptl_path *root = program_of(&calls->entries, step),
			*caller = NULL;
	const char *from = ptl_model_site(step)->function;
	const char *name = top_of(calls, step);
	struct ptl_path *path = *last;

	for (; path != NULL && path != root; path = path->parent)
		if (path->name == from)
			caller = path;
	/* Else it was the call of another program. */
	if (path == NULL || caller == NULL)
		caller = ptl_paths_get(&calls->entries, root, from);
	if (from != name)
		caller = ptl_paths_get(&calls->entries, caller, name);
	caller->self++;
	caller->nr++;
	*last = caller;
	calls->has_entries = true;
}

void ptl_call_paths_learn(struct ptl_call_paths *calls,
			  const struct ptl_step *step)
{
	if (step->process == NULL)
		return;
	ptl_nests_learn(&calls->nests, step);
	/* A crash is no sample of what the program does. */
	if (step->kind->act == PTL_ACT_CRASH)
		return;
	if (step->view->source->nr_stack > 0)
		learn_stack(calls, step);
	else if (ptl_act_enters(step->kind->act) && !calls->nests.has_ends)
		learn_entry(calls, step);
}

const struct ptl_paths *ptl_call_paths_end(struct ptl_call_paths *calls,
					   enum ptl_measure *measure)
{
	struct ptl_paths *paths = &calls->times;

	*measure = PTL_MEASURE_WALL;
	if (calls->has_stacks && !calls->nests.has_ends) {
		paths = &calls->stacks;
		*measure = PTL_MEASURE_EVENTS;
	} else if (calls->has_entries && !calls->nests.has_ends) {
		paths = &calls->entries;
		*measure = PTL_MEASURE_CALLS;
	}
	ptl_call_sums_show(&calls->sums, &calls->times);
	name_programs(paths->root.child);
	ptl_paths_end(paths);
	return paths;
}

/* Of the heaps of all processes, each at its own peak. */
static void weigh_heaps(struct ptl_call_paths *calls)
{
	const struct ptl_heap_site *site = NULL;

	ptl_heaps_end(calls->heaps);
	while ((site = ptl_heaps_next_site(calls->heaps, site)) != NULL) {
		struct ptl_path *path = site->at;

		path->at_peak += site->at_peak;
		if (!site->heap->is_replaced)
			path->leaked += site->live;
	}
	/* Once. */
	ptl_heaps_free(calls->heaps);
	calls->heaps = NULL;
}

bool ptl_call_paths_are_shared(const struct ptl_call_paths *calls)
{
	return calls->has_sums;
}

static int64_t worth_of(const struct ptl_path *path, enum ptl_measure measure)
{
	switch (measure) {
	case PTL_MEASURE_WALL:
		return path->ns;
	case PTL_MEASURE_BYTES:
		return path->bytes;
	case PTL_MEASURE_PEAK:
		return path->at_peak;
	case PTL_MEASURE_LEAKED:
		return path->leaked;
	default:
		return (int64_t)path->nr;
	}
}

static void weigh(struct ptl_path *path, enum ptl_measure measure)
{
	path->self = worth_of(path, measure);
	for (struct ptl_path *child = path->child; child != NULL;
	     child = child->sibling)
		weigh(child, measure);
}

const struct ptl_paths *ptl_call_paths_weigh(struct ptl_call_paths *calls,
					     enum ptl_measure measure)
{
	enum ptl_measure own;
	struct ptl_paths *paths =
		(struct ptl_paths *)ptl_call_paths_end(calls, &own);

	/* Calls have no stacks of their own, nor events paths of calls. */
	if (own == PTL_MEASURE_WALL && measure == PTL_MEASURE_EVENTS)
		return NULL;
	if (own == PTL_MEASURE_EVENTS && measure == PTL_MEASURE_CALLS)
		return NULL;
	if (own == PTL_MEASURE_CALLS && measure != PTL_MEASURE_CALLS)
		return NULL;
	/* The functions would be missing. */
	if (own == PTL_MEASURE_EVENTS && measure == PTL_MEASURE_WALL &&
	    calls->has_untimed)
		return NULL;
	/* What frees it may be lost. */
	if (measure == PTL_MEASURE_LEAKED && calls->model->lost > 0)
		return NULL;
	if (calls->heaps != NULL)
		weigh_heaps(calls);
	weigh(&paths->root, measure);
	ptl_paths_end(paths);
	return paths->root.total > 0 ? paths : NULL;
}
