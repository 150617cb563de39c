/* SPDX-License-Identifier: MIT */
/*
 * A flame graph; see flame.h.  Of a log with exits of functions it is made of
 * their times, and of those of libc's calls inside of them; of one with call
 * stacks, of the number of events; else of the times of libc's calls.
 */
#include "tools/report/draw/flame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/report/model/nests.h"
#include "tools/report/view/number.h"
#include "tools/report/model/paths.h"
#include "tools/report/draw/svg.h"

struct state {
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
	struct state *state = of;
	struct ptl_path *parent =
		outer != NULL ? outer->of : program_of(&state->times, step);

	frame->of = ptl_paths_get(&state->times, parent, frame->function->name);
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

static void *begin(const struct ptl_settings *settings)
{
	struct state *state = ptl_alloc(sizeof(*state));

	(void)settings;
	ptl_paths_begin(&state->times);
	ptl_paths_begin(&state->stacks);
	state->known.value_size = sizeof(struct ptl_path *);
	state->nests.user = PTL_TASK_FLAME;
	state->nests.of = state;
	state->nests.enter = enter;
	state->nests.leave = leave;
	ptl_nests_begin(&state->nests);
	return state;
}

static struct ptl_path *path_of(struct state *state, struct ptl_path *root,
				const struct ptl_stack *stack)
{
	struct ptl_path *caller = root;

	if (stack->caller != NULL)
		caller = path_of(state, root, stack->caller);
	return ptl_paths_get(&state->stacks, caller, stack->site->function);
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
static void learn_stack(struct state *state, const struct ptl_step *step)
{
	const struct ptl_source *source = step->view->source;
	const struct ptl_stack *stack = ptl_model_stack(step);
	struct ptl_path *path = program_of(&state->stacks, step), **known;
	const char *top;
	const void *key[3];

	state->has_stacks = true;
	if (source->nr_stack >= ptl_model_stack_depth(step->model, source))
		path = ptl_paths_get(&state->stacks, path,
				     ptl_map_string("[truncated stack]", 17));
	key[0] = path;
	key[1] = stack;
	key[2] = top = top_of(step);
	known = ptl_map_get(&state->known, key, sizeof(key));
	if (*known == NULL)
		*known = ptl_paths_get(&state->stacks,
				       path_of(state, path, stack), top);
	(*known)->self++;
}

static void learn(void *of, const struct ptl_step *step)
{
	struct state *state = of;

	if (step->process == NULL)
		return;
	ptl_nests_learn(&state->nests, step);
	if (step->view->source->nr_stack > 0)
		learn_stack(state, step);
}

const struct ptl_paths *ptl_flame_paths(void *of, struct ptl_model *model,
					const char **title,
					enum ptl_column_kind *kind)
{
	struct state *state = of;
	struct ptl_paths *paths = &state->times;

	ptl_nests_end(&state->nests, model);
	*title = "wall time of calls, over all threads";
	*kind = PTL_COLUMN_DURATION;
	if (state->has_stacks && !state->nests.has_ends) {
		paths = &state->stacks;
		*title = "events, by call stack";
		*kind = PTL_COLUMN_COUNT;
	}
	name_programs(paths->root.child);
	ptl_paths_end(paths);
	return paths;
}

void ptl_flame_write(void *of, struct ptl_model *model, struct ptl_out *out)
{
	enum ptl_column_kind kind;
	const char *title;
	const struct ptl_paths *paths =
		ptl_flame_paths(of, model, &title, &kind);

	ptl_svg_write(out, paths, title, kind);
}

static void end(void *of)
{
	struct state *state = of;

	ptl_nests_free(&state->nests);
	ptl_paths_free(&state->times);
	ptl_paths_free(&state->stacks);
	ptl_map_clear(&state->known);
	free(state);
}

const struct ptl_report_view ptl_report_flame = {
	.name = "flame",
	.begin = begin,
	.event = learn,
	.free = end,
};
