/* SPDX-License-Identifier: MIT */
/*
 * What each thread did when; see timeline.h.  A program, a thread or a function
 * that has begun is kept until it is over; all else is a slice at once.
 */
#include "tools/page/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/clock.h"
#include "tools/lib/say.h"
#include "tools/page/contexts.h"

#define MAX_LOSSES 1000

/* Bytes of names, of arguments, and of contexts. */
#define MAX_NAMES (2 << 20)
#define MAX_TEXTS (6 << 20)
#define MAX_CONTEXTS (2 << 20)

/* What has begun, until it is over. */
struct open_slice {
	struct ptl_slice slice;
	unsigned int nr_numbers;
	int64_t number[]; /* of its detail */
};

static unsigned int count_open(void *of, uint32_t number, int64_t at)
{
	const struct ptl_timeline *timeline = of;
	const struct ptl_page_track *track = timeline->track[number];

	if (track->thread == NULL ||
	    track->thread->of[PTL_THREAD_PAGE] != track)
		return 0;
	return ptl_calls_open(track->thread, timeline->user.number,
			      timeline->first + (uint64_t)at);
}

static struct ptl_page_track *make_track(struct ptl_timeline *timeline,
					 struct ptl_process *process, pid_t tid)
{
	struct {
		struct ptl_process *process;
		pid_t tid;
	} key;
	struct ptl_page_track *track;

	memset(&key, 0, sizeof(key));
	key.process = process;
	key.tid = tid;
	track = ptl_hash_find(&timeline->tracks, &key, sizeof(key));
	if (track != NULL)
		return track;
	if (timeline->tracks.nr >= PTL_TIMELINE_TRACKS && process != NULL)
		return make_track(timeline, NULL, 0);
	track = ptl_hash_get(&timeline->tracks, &key, sizeof(key));
	track->process = process;
	track->tid = tid;
	track->number = (uint32_t)timeline->tracks.nr - 1;
	timeline->track =
		ptl_grow(timeline->track, track->number, &timeline->tracks_room,
			 sizeof(*timeline->track));
	return timeline->track[track->number] = track;
}

static struct ptl_page_track *track_of(struct ptl_timeline *timeline,
				       const struct ptl_step *step)
{
	struct ptl_page_track *track;

	if (step->process == NULL)
		return make_track(timeline, NULL, 0);
	track = step->thread->of[PTL_THREAD_PAGE];
	if (track == NULL || track->process != step->process) {
		track = step->thread->of[PTL_THREAD_PAGE] =
			make_track(timeline, step->process, step->thread->tid);
		track->host = step->view->source->host;
		track->thread = step->thread;
	}
	if (step->thread->name != NULL)
		track->name = step->thread->name;
	return track;
}

static uint32_t name_number(struct ptl_timeline *timeline, const char *name)
{
	return ptl_texts_number(&timeline->names, name, strlen(name));
}

/* Of more stacks the outer frames are shown. */
static uint32_t stack_number(const struct ptl_step *step)
{
	const struct ptl_stack *stack = ptl_model_stack(step);

	while (stack != NULL && stack->number > PTL_TIMELINE_STACKS)
		stack = stack->caller;
	return stack != NULL ? (uint32_t)stack->number : 0;
}

/* The names of their frames are known from now on. */
static void learn_callers(struct ptl_timeline *timeline,
			  const struct ptl_stacks *stacks)
{
	const struct ptl_stack *stack = NULL;
	size_t nr = 0, room = 0;

	while (nr < PTL_TIMELINE_STACKS &&
	       (stack = ptl_stacks_next(stacks, stack)) != NULL) {
		struct ptl_caller caller = {
			.name = name_number(timeline, stack->site->name)};

		if (stack->caller != NULL)
			caller.parent = (uint32_t)stack->caller->number;
		timeline->caller =
			ptl_grow(timeline->caller, nr, &room, sizeof(caller));
		timeline->caller[nr++] = caller;
	}
	timeline->nr_callers = nr;
}

/* Makes a slice of what is over by then; is_ended: its end was seen. */
static void put_slice(struct ptl_timeline *timeline,
		      const struct open_slice *open, bool is_function,
		      int64_t end, int64_t took, bool is_ended)
{
	struct ptl_detail detail = {.nr = open->nr_numbers};
	struct ptl_slice slice = open->slice;

	memcpy(detail.number, open->number,
	       open->nr_numbers * sizeof(*open->number));
	if (!is_ended && is_function &&
	    ptl_hash_find(&timeline->returns, &slice.name,
			  sizeof(slice.name)) == NULL)
		end = slice.begin; /* nobody asked when it returns */
	else if (!is_ended)
		slice.flags |= PTL_SLICE_OPEN;
	slice.end = end > slice.begin ? end : slice.begin;
	slice.took = is_ended ? took : -1;
	ptl_slices_add(&timeline->slices, &slice, &detail);
}

static void leave(void *of, struct ptl_thread *thread, struct ptl_call *call,
		  struct ptl_call *outer, uint64_t at, enum ptl_call_end how)
{
	struct ptl_timeline *timeline = of;
	struct open_slice *open = call->of[timeline->user.number];
	uint64_t took = at > call->begin ? at - call->begin : 0;

	(void)thread;
	(void)outer;
	if (open == NULL)
		return;
	/* The slice is not asked for by merging any longer. */
	call->of[timeline->user.number] = NULL;
	timeline->ended = NULL;
	if (how == PTL_CALL_RETURNED && call->kind == PTL_CALL_FUNCTION) {
		timeline->ended = open;
		return;
	}
	put_slice(timeline, open, call->kind == PTL_CALL_FUNCTION,
		  (int64_t)(at - timeline->first),
		  took < INT64_MAX ? (int64_t)took : 0, how != PTL_CALL_LEFT);
	free(open);
}

static void *begin(const struct ptl_report_settings *settings,
		   struct ptl_model *model)
{
	struct ptl_timeline *timeline = ptl_alloc(sizeof(*timeline));

	timeline->slices.times =
		(unsigned int)(settings->page_size / PTL_TIMELINE_ONCE);
	timeline->user = (struct ptl_calls_user){.wants_lives = true,
						 .wants_libc = true,
						 .leave = leave,
						 .of = timeline};
	ptl_calls_add_user(model->calls, &timeline->user);
	timeline->tracks.value_size = sizeof(struct ptl_page_track);
	timeline->returns.value_size = sizeof(bool);
	timeline->marks.value_size = sizeof(bool);
	ptl_texts_begin(&timeline->names, MAX_NAMES);
	ptl_texts_begin(&timeline->texts, MAX_TEXTS);
	ptl_texts_begin(&timeline->contexts, MAX_CONTEXTS);
	ptl_page_paths_begin(&timeline->paths);
	timeline->slices.open = count_open;
	timeline->slices.of = timeline;
	return timeline;
}

/* What has begun, and its end has not come yet. */
static struct open_slice *keep(const struct ptl_slice *slice,
			       const struct ptl_detail *detail)
{
	struct open_slice *open =
		ptl_alloc(sizeof(*open) + detail->nr * sizeof(*detail->number));

	open->slice = *slice;
	open->nr_numbers = detail->nr;
	memcpy(open->number, detail->number,
	       detail->nr * sizeof(*detail->number));
	return open;
}

/* The call's arguments, and behind them the result of the event that ends it.
 */
static struct open_slice *add_result(struct ptl_timeline *timeline,
				     struct open_slice *open,
				     const struct ptl_view *view)
{
	struct ptl_detail before = {.nr = open->nr_numbers}, whole;
	struct open_slice *with;

	if (open->slice.text != 0)
		before.text = ptl_texts_bytes(&timeline->texts,
					      open->slice.text, &before.size);
	memcpy(before.number, open->number,
	       open->nr_numbers * sizeof(*open->number));
	ptl_detail_make(&whole, view, &before);
	open->slice.text =
		ptl_texts_number(&timeline->texts, whole.text, whole.size);
	if (open->slice.text == 0)
		whole.nr = 0;
	open->slice.nr++;
	with = keep(&open->slice, &whole);
	free(open);
	return with;
}

/* A call ends; or it has just begun, and this says when it will end. */
static void learn_leave(struct ptl_timeline *timeline,
			const struct ptl_step *step, struct ptl_slice *slice,
			const struct ptl_detail *detail)
{
	const struct ptl_moment *moment = &step->moment;
	struct open_slice **told = moment->is_told ?
					   (struct open_slice **)&moment->call
						   ->of[timeline->user.number] :
					   NULL;

	*(bool *)ptl_hash_get(&timeline->returns, &slice->name,
			      sizeof(slice->name)) = true;
	if (told != NULL && *told != NULL) {
		*told = add_result(timeline, *told, step->view);
		return;
	}
	if (moment->ends && timeline->ended != NULL) {
		struct open_slice *open =
			add_result(timeline, timeline->ended, step->view);

		timeline->ended = NULL;
		put_slice(timeline, open, true, step->now,
			  step->now - open->slice.begin, true);
		free(open);
		return;
	}
	if (told != NULL && step->duration >= 0) {
		slice->end = step->now + step->duration;
		slice->took = step->duration;
	}
	ptl_slices_add(&timeline->slices, slice, detail);
}

static void learn_loss(struct ptl_timeline *timeline,
		       const struct ptl_step *step)
{
	bool is_over = step->view->type->kind->act == PTL_ACT_RESUME;
	struct ptl_loss *loss = timeline->loss;

	if (step->kind->act != PTL_ACT_OVERFLOW && !is_over)
		return;
	if (timeline->nr_losses > 0 && (timeline->is_losing || is_over ||
					timeline->nr_losses == MAX_LOSSES)) {
		loss[timeline->nr_losses - 1].end = step->now;
	} else {
		timeline->loss = loss =
			ptl_grow(loss, timeline->nr_losses,
				 &timeline->losses_room, sizeof(*loss));
		loss[timeline->nr_losses++] =
			(struct ptl_loss){step->now, step->now};
	}
	timeline->is_losing = !is_over;
}

static void put_span(struct ptl_timeline *timeline,
		     const struct ptl_userspan *span, struct ptl_slice *slice,
		     const struct ptl_view *view)
{
	struct ptl_detail detail;

	slice->begin = (int64_t)(span->begin - timeline->first);
	slice->name = name_number(timeline, span->name);
	ptl_detail_make(&detail, view, NULL);
	slice->text =
		ptl_texts_number(&timeline->texts, detail.text, detail.size);
	if (slice->text == 0)
		detail.nr = 0;
	ptl_slices_add(&timeline->slices, slice, &detail);
}

/* A slice of the thread where it began, from there to its end. */
static void learn_span(struct ptl_timeline *timeline,
		       const struct ptl_step *step, struct ptl_slice *slice)
{
	struct ptl_userspan *span = step->span;
	const struct ptl_page_track *track = span->kept;

	if (step->kind->act == PTL_ACT_SPAN_BEGIN) {
		span->kept = timeline->track[slice->track];
		return;
	}
	if (track != NULL) {
		slice->track = track->number;
		slice->nr = 2;
	}
	slice->end = step->now;
	slice->took = span->total;
	put_span(timeline, span, slice, step->view);
}

/* Spans that are open at the end of the log. */
static void end_spans(struct ptl_timeline *timeline,
		      const struct ptl_model *model)
{
	const struct ptl_userspan *span = NULL;

	while ((span = ptl_userspans_next_open(model->userspans, span)) !=
	       NULL) {
		const struct ptl_page_track *track = span->kept;
		struct ptl_slice slice = {.end = model->last,
					  .took = -1,
					  .nr = 1,
					  .flags = PTL_SLICE_OPEN};
		struct ptl_view view;

		if (track == NULL)
			continue;
		slice.track = track->number;
		if (track->process != NULL && track->process->end > 0 &&
		    track->process->end < slice.end)
			slice.end = track->process->end;
		ptl_userspan_begun(span, &view);
		put_span(timeline, span, &slice, &view);
	}
}

/* The name of a thread or program that begins now, or the event's. */
static const char *name_of(const struct ptl_step *step)
{
	const char *name = NULL;

	switch (step->kind->act) {
	case PTL_ACT_START:
		name = step->view->program;
		break;
	case PTL_ACT_SCHED_OFF:
		/* The colours are by name. */
		if (ptl_step_number(step, "preempted", 0) != 0)
			name = "sched:no CPU was free";
		else if (step->view->event->posix_prog_address != NULL)
			name = "sched:page fault";
		else
			name = "sched:off";
		break;
	case PTL_ACT_ENTER:
	case PTL_ACT_ENTRY:
	case PTL_ACT_LEAVE:
		name = ptl_step_string(step, "function");
		break;
	default:
		break;
	}
	return name != NULL ? name : step->kind->name;
}

/* What has a slice when it is over. */
static bool is_begin(const struct ptl_step *step)
{
	switch (step->kind->act) {
	case PTL_ACT_START:
	case PTL_ACT_THREAD_START:
	case PTL_ACT_ENTER:
		return step->moment.begins;
	default:
		return false;
	}
}

/* An event of the program's own, but for gauges and counters, which are curves.
 */
static void learn_mark(struct ptl_timeline *timeline,
		       const struct ptl_step *step, uint32_t name)
{
	const struct ptl_args *args = &step->view->args;

	if (step->view->type->is_system)
		return;
	for (unsigned int i = 0; i < args->nr; i++)
		if (args->arg[i].mark == PTL_ARG_GAUGE ||
		    args->arg[i].mark == PTL_ARG_COUNTER)
			return;
	*(bool *)ptl_hash_get(&timeline->marks, &name, sizeof(name)) = true;
}

static void learn(void *of, const struct ptl_step *step)
{
	struct ptl_timeline *timeline = of;
	struct ptl_page_track *track = track_of(timeline, step);
	bool is_timed = step->duration >= 0 && step->kind->act != PTL_ACT_LEAVE;
	struct ptl_slice slice = {.begin = step->now,
				  .end = step->now,
				  .took = is_timed ? step->duration : -1,
				  .track = track->number,
				  .nr = 1};
	struct ptl_detail detail;

	if (timeline->events++ == 0)
		timeline->first = ptl_ns(&step->view->event->posix_timestamp);
	if (is_timed)
		slice.end += step->duration;
	if (step->error != NULL)
		slice.flags = PTL_SLICE_FAILED;
	slice.stack = stack_number(step);
	slice.file = ptl_page_paths_learn(&timeline->paths, step);
	slice.context = ptl_page_contexts_learn(&timeline->contexts, step);
	if (step->span != NULL) {
		learn_span(timeline, step, &slice);
		return;
	}
	if (step->kind->act == PTL_ACT_SPAN_LINK)
		ptl_spanlinks_learn(&timeline->spanlinks, step,
				    timeline->first);
	slice.name = name_number(timeline, name_of(step));
	learn_mark(timeline, step, slice.name);
	ptl_detail_make(&detail, step->view, NULL);
	slice.text =
		ptl_texts_number(&timeline->texts, detail.text, detail.size);
	if (slice.text == 0)
		detail.nr = 0;
	if (step->process == NULL)
		learn_loss(timeline, step);
	if (is_begin(step))
		step->moment.call->of[timeline->user.number] =
			keep(&slice, &detail);
	else if (step->kind->act == PTL_ACT_LEAVE)
		learn_leave(timeline, step, &slice, &detail);
	else
		ptl_slices_add(&timeline->slices, &slice, &detail);
}

void ptl_timeline_end(struct ptl_timeline *timeline,
		      const struct ptl_model *model)
{
	if (timeline->is_losing)
		timeline->loss[timeline->nr_losses - 1].end = model->last;
	end_spans(timeline, model);
	timeline->slices.open = NULL;
	learn_callers(timeline, model->stacks);
}

static void end(void *of)
{
	struct ptl_timeline *timeline = of;

	ptl_slices_free(&timeline->slices);
	ptl_texts_free(&timeline->names);
	ptl_texts_free(&timeline->texts);
	ptl_texts_free(&timeline->contexts);
	ptl_page_paths_free(&timeline->paths);
	ptl_hash_clear(&timeline->tracks);
	ptl_hash_clear(&timeline->returns);
	ptl_hash_clear(&timeline->marks);
	free(timeline->track);
	free(timeline->loss);
	ptl_spanlinks_free(&timeline->spanlinks);
	free(timeline->caller);
	free(timeline);
}

const struct ptl_report_view ptl_report_timeline = {
	.name = "timeline",
	.begin = begin,
	.event = learn,
	.free = end,
};
