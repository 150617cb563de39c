/* SPDX-License-Identifier: MIT */
/*
 * Calls as paths; see call_paths.h.  Of a log with exits of functions they are
 * worth their times, and those of libc's calls inside of them; of one with call
 * stacks, the number of events; else the times of libc's calls.
 */
#include "tools/report/model/call_paths.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/say.h"
#include "tools/report/model/nests.h"

struct ptl_call_paths {
	struct ptl_nests nests;
	struct ptl_paths times, stacks;
	struct ptl_map known; /* struct ptl_path *, by root, stack and event */
	bool has_stacks;
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
	if (label->name != NULL)
		return ptl_paths_get(paths, path, label->name);
	snprintf(own, sizeof(own), "[process %zu]", step->process->number);
	path = ptl_paths_get(paths, path, ptl_map_string(own, sizeof(own)));
	path->late = label;
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
	struct ptl_path *parent =
		outer != NULL ? outer->of : program_of(&calls->times, step);

	frame->of = ptl_paths_get(&calls->times, parent, frame->function->name);
}

static void leave(void *of, const struct ptl_frame *outer,
		  const struct ptl_frame *frame, int64_t duration)
{
	struct ptl_path *path = frame->of;

	(void)of;
	(void)outer;
	if (duration > frame->inside)
		path->self += duration - frame->inside;
}

struct ptl_call_paths *ptl_call_paths_new(enum ptl_task_user user)
{
	struct ptl_call_paths *calls = ptl_alloc(sizeof(*calls));

	ptl_paths_begin(&calls->times);
	ptl_paths_begin(&calls->stacks);
	calls->known.value_size = sizeof(struct ptl_path *);
	calls->nests.user = user;
	calls->nests.of = calls;
	calls->nests.enter = enter;
	calls->nests.leave = leave;
	ptl_nests_begin(&calls->nests);
	return calls;
}

void ptl_call_paths_free(struct ptl_call_paths *calls)
{
	ptl_nests_free(&calls->nests);
	ptl_paths_free(&calls->times);
	ptl_paths_free(&calls->stacks);
	ptl_map_clear(&calls->known);
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

/* What is on top of a stack: the function that is called, or the event. */
static const char *top_of(const struct ptl_step *step)
{
	const char *function = NULL;

	if (step->kind->act == PTL_ACT_ENTER || step->kind->act == PTL_ACT_EXIT)
		function = ptl_step_string(step, "function");
	return function != NULL ? function : step->kind->name;
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
	if (source->nr_stack >= ptl_model_stack_depth(step->model, source))
		path = ptl_paths_get(&calls->stacks, path,
				     ptl_map_string("[truncated stack]", 17));
	key[0] = path;
	key[1] = stack;
	key[2] = top = top_of(step);
	known = ptl_map_get(&calls->known, key, sizeof(key));
	if (*known == NULL)
		*known = ptl_paths_get(&calls->stacks,
				       path_of(calls, path, stack), top);
	(*known)->self++;
}

void ptl_call_paths_learn(struct ptl_call_paths *calls,
			  const struct ptl_step *step)
{
	if (step->process == NULL)
		return;
	ptl_nests_learn(&calls->nests, step);
	if (step->view->source->nr_stack > 0)
		learn_stack(calls, step);
}

const struct ptl_paths *ptl_call_paths_end(struct ptl_call_paths *calls,
					   struct ptl_model *model,
					   enum ptl_measure *measure)
{
	struct ptl_paths *paths = &calls->times;

	ptl_nests_end(&calls->nests, model);
	*measure = PTL_MEASURE_WALL;
	if (calls->has_stacks && !calls->nests.has_ends) {
		paths = &calls->stacks;
		*measure = PTL_MEASURE_EVENTS;
	}
	name_programs(paths->root.child);
	ptl_paths_end(paths);
	return paths;
}
