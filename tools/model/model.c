/* SPDX-License-Identifier: MIT */
/* What is known of some logs while they are read; see model.h. */
#include "tools/model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/clock.h"
#include "tools/lib/say.h"
#include "tools/lib/args/words.h"
#include "tools/model/clip.h"
#include "tools/model/modules.h"

/* So long a time, and no call is longer. */
#define SECONDS_MAX (INT64_C(1) << 30)

void ptl_model_begin(struct ptl_model *model, struct ptl_merge *merge,
		     bool wants_processes)
{
	memset(model, 0, sizeof(*model));
	model->merge = merge;
	model->wants_processes = wants_processes;
	model->processes = ptl_processes_new();
	model->threads = ptl_threads_new();
	model->calls = ptl_calls_new(model->threads, merge);
	model->userspans = ptl_userspans_new(model->threads);
	model->contexts = ptl_contexts_new(model->threads);
	for (size_t i = 0; i < merge->nr_sources; i++)
		merge->source[i].modules = ptl_modules_new();
	ptl_sites_begin(&model->sites);
	model->stacks = ptl_stacks_new(&model->sites);
	model->untraced.value_size = sizeof(struct ptl_skipped);
	model->stack_depth =
		ptl_alloc(merge->nr_sources * sizeof(*model->stack_depth));
	model->lost_at = -1;
	model->stopped_at = -1;
}

void ptl_model_free(struct ptl_model *model)
{
	for (size_t i = 0; i < model->merge->nr_sources; i++) {
		struct ptl_source *source = &model->merge->source[i];

		ptl_modules_free(source->modules);
		source->modules = NULL;
		source->process = NULL;
		source->thread = NULL;
	}
	ptl_calls_free(model->calls);
	ptl_userspans_free(model->userspans);
	ptl_contexts_free(model->contexts);
	ptl_processes_free(model->processes);
	ptl_threads_free(model->threads);
	ptl_sites_free(&model->sites);
	ptl_stacks_free(model->stacks);
	ptl_hash_clear(&model->untraced);
	free(model->crashes.crash);
	ptl_hash_clear(&model->firings);
	free(model->stack_depth);
}

/* Damaged logs may be of any year; here there are 36 of them. */
static int64_t since_first(struct ptl_model *model, const struct timespec *time)
{
	int64_t seconds;

	if (model->events == 0)
		model->first = *time;
	seconds = (int64_t)((uint64_t)time->tv_sec -
			    (uint64_t)model->first.tv_sec);
	if (seconds < 0)
		return 0;
	if (seconds > SECONDS_MAX)
		seconds = SECONDS_MAX;
	seconds = seconds * 1000000000 + time->tv_nsec - model->first.tv_nsec;
	return seconds > 0 ? seconds : 0;
}

static void put_out(struct ptl_hash *out, const char *name)
{
	ptl_hash_get(out, &name, sizeof(name));
}

/* The types that are not in the filter of a start, or in a filter's new one,
 * are recorded from then on. */
static void learn_filter(struct ptl_model *model, const struct ptl_view *view,
			 const char *name)
{
	const struct ptl_arg *set = ptl_decode_find(&view->args, name);
	/* By name: a log need not know all types of that name. */
	struct ptl_hash out = {.value_size = 1};
	trace_event_id_t id = 0, end;
	trace_attr_t attr;
	int calls = 1;

	if (set == NULL)
		return;
	model->is_filter_known = true;
	while ((id = ptl_source_next_in_set(view->source, set, id)) != 0)
		put_out(&out, ptl_source_type(view->source, id)->kind->name);
	if (posix_trace_get_attr(view->source->trid, &attr) == 0)
		posix_trace_attr_getcalls_np(&attr, &calls);
	end = ptl_source_types_end(view->source);
	for (id = 1; id < end; id++) {
		char type_name[TRACE_EVENT_NAME_MAX + 1];
		const struct ptl_kind *kind;

		if (posix_trace_eventid_get_name(view->source->trid, id,
						 type_name) != 0)
			continue;
		kind = ptl_source_type(view->source, id)->kind;
		if (kind->act != PTL_ACT_PROGRAM &&
		    ptl_hash_find(&out, &kind->name, sizeof(kind->name)) ==
			    NULL &&
		    (calls || kind->family < PTL_FAMILY_FILE ||
		     kind->family > PTL_FAMILY_NET))
			model->recorded[kind->family] = true;
	}
	ptl_hash_clear(&out);
}

static void learn_untraced(struct ptl_model *model, const struct ptl_step *step)
{
	struct ptl_skipped key = {
		.path = ptl_step_string(step, "path"),
		.reason = ptl_step_string(step, "reason"),
	};
	struct ptl_skipped *untraced =
		ptl_hash_get(&model->untraced, &key, sizeof(key));

	untraced->path = key.path;
	untraced->reason = key.reason;
	untraced->nr++;
}

static void learn_own(struct ptl_model *model, const struct ptl_step *step)
{
	switch (step->kind->act) {
	case PTL_ACT_TRACE_START:
		model->stopped_at = -1;
		learn_filter(model, step->view, "filter");
		break;
	case PTL_ACT_TRACE_STOP:
		if (ptl_step_number(step, "auto", 0) != 0)
			model->stopped_at = step->now;
		break;
	case PTL_ACT_TRACE_FILTER:
		learn_filter(model, step->view, "new");
		break;
	case PTL_ACT_OVERFLOW:
		if (model->lost_at < 0)
			model->lost_at = step->now;
		break;
	default:
		break;
	}
}

static const struct ptl_arg *error_of(const struct ptl_step *step)
{
	const struct ptl_args *args = &step->view->args;
	const struct ptl_arg *error;

	if (step->kind->error_at < 0 ||
	    (unsigned int)step->kind->error_at >= args->nr)
		return NULL;
	error = &args->arg[step->kind->error_at];
	return error->value != 0 ? error : NULL;
}

/* Whose it is. */
static void learn_process(struct ptl_model *model, struct ptl_step *step)
{
	if (step->kind->family == PTL_FAMILY_TRACE) {
		learn_own(model, step);
		ptl_processes_learn_controller(model->processes, step->view);
		return;
	}
	step->process = ptl_processes_learn(model->processes, step->view,
					    step->kind->act, step->now);
	step->thread =
		ptl_threads_get(model->threads, step->view, step->process);
	if (step->kind->act == PTL_ACT_UNTRACED)
		learn_untraced(model, step);
	model->hot += ptl_step_is_hot(step);
	if (step->kind->act == PTL_ACT_THREAD_NAME)
		step->named = ptl_threads_learn_name(model->threads, step->view,
						     step->process);
}

static void count(struct ptl_model *model, const struct ptl_step *step)
{
	model->events++;
	if (step->now > model->last)
		model->last = step->now;
	/* A process says its name in whatever family, to be known by it. */
	if (step->kind->act != PTL_ACT_PROGRAM)
		model->seen[step->kind->family] = true;
}

static bool is_of_span(const struct ptl_kind *kind)
{
	return kind->act == PTL_ACT_SPAN_BEGIN || kind->act == PTL_ACT_SPAN_END;
}

/* The end of a span says how long it took, and all that its begin did. */
static void learn_span(struct ptl_model *model, struct ptl_step *step)
{
	struct ptl_view *view = &model->view, begun;

	step->span = ptl_userspans_learn(model->userspans, view, step->thread);
	if (step->span == NULL || step->kind->act != PTL_ACT_SPAN_END)
		return;
	ptl_userspan_begun(step->span, &begun);
	view->args = begun.args;
	view->is_short = begun.is_short;
	view->duration = step->span->total;
}

/* What later events need to know of it, if it is shown or not. */
static void learn(struct ptl_model *model, struct ptl_filter *filter,
		  struct ptl_step *step)
{
	struct ptl_view *view = &model->view;

	if (view->args.nr > 0)
		ptl_modules_learn(view->source->modules, step->kind->act,
				  view->event, &view->args);
	if (step->kind->act == PTL_ACT_FORK)
		ptl_filter_learn(filter, view->event, &view->args);
	if (model->wants_processes) {
		step->now = since_first(model, &view->event->posix_timestamp);
		step->error = error_of(step);
		count(model, step);
		learn_process(model, step);
	}
	if (step->process != NULL) {
		view->program = step->process->label->name;
		view->rank = step->process->rank;
		view->tags = ptl_process_owner(step->process)->tags.first;
	}
	ptl_calls_learn(model->calls, view, step->thread, &step->moment);
	if (step->moment.took >= 0)
		view->duration = step->moment.took;
	if (is_of_span(step->kind))
		learn_span(model, step);
	else if (step->kind->act == PTL_ACT_SPAN_LINK)
		ptl_userspans_link(model->userspans, view);
	if (ptl_contexts_matter(model->contexts, view, step->span))
		view->context = ptl_contexts_learn(model->contexts, view,
						   step->thread, step->span);
}

bool ptl_model_event(struct ptl_model *model, struct ptl_source *source,
		     struct ptl_filter *filter, struct ptl_step *step)
{
	struct ptl_view *view = &model->view;
	bool is_shown;

	ptl_view_decode(view, source);
	/* One by one: to zero all of it at once takes longer. */
	step->model = model;
	step->view = view;
	step->kind = view->type->kind;
	step->process = NULL;
	step->thread = step->named = NULL;
	step->moment = (struct ptl_moment){.view = NULL};
	step->span = NULL;
	step->now = 0;
	step->error = NULL;
	learn(model, filter, step);
	step->duration = view->duration <= SECONDS_MAX * 1000000000 ?
				 view->duration :
				 -1;
	is_shown = ptl_view_describe(view, filter);
	model->wanted += is_shown;
	if (step->span != NULL && step->kind->act == PTL_ACT_SPAN_BEGIN)
		step->span->is_shown = is_shown;
	return is_shown;
}

int64_t ptl_model_open_for(const struct ptl_model *model,
			   const struct ptl_userspan *span)
{
	int64_t begin = (int64_t)(span->begin - ptl_ns(&model->first));

	return model->last > begin ? model->last - begin : 0;
}

void ptl_model_end(struct ptl_model *model)
{
	ptl_calls_finish(model->calls);
	ptl_processes_end(model->processes, model->last);
	for (size_t i = 0; i < model->merge->nr_sources; i++) {
		struct posix_trace_info_np info;

		if (posix_trace_get_info_np(model->merge->source[i].trid,
					    &info) != 0)
			continue;
		if (info.lost_unknown)
			model->is_lost_unknown = true;
		else
			model->lost += info.lost;
		model->unselected += info.unselected;
		model->is_orphaned |= info.controller_died;
		if (info.log_state != POSIX_TRACE_LOG_COMPLETE_NP ||
		    (info.controller_died && info.live_processes > 0))
			model->is_incomplete = true;
	}
}

void ptl_model_clip(struct ptl_model *model, const struct ptl_filter *filter)
{
	if (model->events == 0 ||
	    (!filter->since.is_set && !filter->until.is_set))
		return;
	model->is_partial = true;
	if (filter->since.is_set)
		model->begin = since_first(model, &filter->since.time);
	if (filter->until.is_set) {
		int64_t until = since_first(model, &filter->until.time);

		if (until < model->last)
			model->last = until;
	}
	if (model->last < model->begin)
		model->last = model->begin;
	ptl_clip(ptl_processes_first(model->processes), model->begin,
		 model->last);
}

bool ptl_model_lacks(const struct ptl_model *model, enum ptl_family family)
{
	return model->is_filter_known && !model->recorded[family] &&
	       !model->seen[family];
}

size_t ptl_model_stack_depth(const struct ptl_model *model,
			     const struct ptl_source *source)
{
	size_t *depth = &model->stack_depth[source - model->merge->source];
	unsigned int given = 0;
	trace_attr_t attr;

	if (*depth > 0)
		return *depth;
	*depth = POSIX_TRACE_STACK_MAX_NP;
	if (posix_trace_get_attr(source->trid, &attr) == 0 &&
	    posix_trace_attr_getstackdepth_np(&attr, &given) == 0 && given > 0)
		*depth = given;
	return *depth;
}

const struct ptl_stack *ptl_model_stack(const struct ptl_step *step)
{
	struct ptl_model *model = step->model;

	if (model->stack_of != model->events)
		model->stack = ptl_stacks_of(model->stacks, step->view);
	model->stack_of = model->events;
	return model->stack;
}

const struct ptl_site *ptl_model_site_at(const struct ptl_step *step,
					 uint64_t address)
{
	return ptl_sites_at(&step->model->sites, step->view, address);
}

const struct ptl_site *ptl_model_site(const struct ptl_step *step)
{
	return ptl_model_site_at(
		step, (uintptr_t)step->view->event->posix_prog_address);
}

bool ptl_step_is_hot(const struct ptl_step *step)
{
	static const char hot[] = "hot: ";
	const struct ptl_arg *reason;

	if (step->kind->act != PTL_ACT_HOOKS)
		return false;
	reason = ptl_decode_find(&step->view->args, "reason");
	return reason != NULL && reason->size >= sizeof(hot) - 1 &&
	       memcmp(reason->bytes, hot, sizeof(hot) - 1) == 0;
}

const char *ptl_step_error(const struct ptl_step *step)
{
	char buf[PTL_WORDS_MAX];
	size_t size;

	if (step->error->words == NULL)
		size = ptl_words_text(
			&(struct ptl_arg){.type = PTL_ARG_INT,
					  .words = ptl_words_find("errno", 5),
					  .value = step->error->value},
			buf);
	else
		size = ptl_words_text(step->error, buf);
	return ptl_intern(buf, size);
}

int64_t ptl_step_number(const struct ptl_step *step, const char *name,
			int64_t unknown)
{
	const struct ptl_arg *arg = ptl_decode_find(&step->view->args, name);

	return arg != NULL ? arg->value : unknown;
}

int64_t ptl_step_allocated(const struct ptl_step *step)
{
	int64_t size, bytes;

	if (step->kind->act != PTL_ACT_ALLOCATE &&
	    step->kind->act != PTL_ACT_REALLOCATE)
		return 0;
	size = ptl_step_field(step, PTL_FIELD_SIZE, 0);
	return size <= 0 || ptl_step_field(step, PTL_FIELD_RESULT, 0) == 0 ||
			       __builtin_mul_overflow(
				       size,
				       ptl_step_field(step, PTL_FIELD_COUNT, 1),
				       &bytes) ||
			       bytes < 0 ?
		       0 :
		       bytes;
}

const char *ptl_step_words(const struct ptl_step *step, const char *name)
{
	const struct ptl_arg *arg = ptl_decode_find(&step->view->args, name);
	char buf[PTL_WORDS_MAX];

	if (arg == NULL || arg->words == NULL)
		return NULL;
	return ptl_intern(buf, ptl_words_text(arg, buf));
}

/* As much as is shown of a path that was cut. */
#define MARKED 8000

const char *ptl_step_path(const struct ptl_step *step, const char *name)
{
	const struct ptl_arg *arg = ptl_decode_find(&step->view->args, name);
	char marked[MARKED + sizeof("…")];
	int size;

	if (arg == NULL || arg->bytes == NULL || !arg->is_cut)
		return ptl_step_string(step, name);
	size = snprintf(marked, sizeof(marked), "%.*s…",
			(int)(arg->size < MARKED ? arg->size : MARKED),
			(const char *)arg->bytes);
	return ptl_intern(marked, (size_t)size);
}

const char *ptl_step_string(const struct ptl_step *step, const char *name)
{
	const struct ptl_arg *arg = ptl_decode_find(&step->view->args, name);

	return arg != NULL && arg->bytes != NULL ?
		       ptl_intern(arg->bytes, arg->size) :
		       NULL;
}
