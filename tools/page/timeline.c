/* SPDX-License-Identifier: MIT */
/*
 * What each thread did when; see timeline.h.  A program, a thread or a function
 * that has begun is kept until it ends; all else is a slice at once.
 */
#include "tools/page/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/read/program.h"

/* Deeper calls have no exit events, and the outermost of them are moments. */
#define MAX_CALLS 512

#define MAX_LOSSES 1000

/* Bytes of names, and of arguments. */
#define MAX_NAMES (2 << 20)
#define MAX_TEXTS (6 << 20)

struct ptl_call {
	enum { PROGRAM, THREAD, FUNCTION } kind;
	uint64_t callee;
	struct ptl_slice slice;
	int64_t *number; /* of its detail, or NULL */
	unsigned int nr_numbers;
};

static unsigned int count_open(void *of, uint32_t number, int64_t at)
{
	const struct ptl_timeline *timeline = of;
	const struct ptl_track *track = timeline->track[number];
	unsigned int nr = 0;

	while (nr < track->nr_calls && track->call[nr].slice.begin <= at)
		nr++;
	return nr;
}

static void *begin(const struct ptl_settings *settings)
{
	struct ptl_timeline *timeline = ptl_alloc(sizeof(*timeline));

	(void)settings;
	timeline->tracks.value_size = sizeof(struct ptl_track);
	timeline->returns.value_size = sizeof(bool);
	ptl_texts_begin(&timeline->names, MAX_NAMES);
	ptl_texts_begin(&timeline->texts, MAX_TEXTS);
	timeline->slices.open = count_open;
	timeline->slices.of = timeline;
	return timeline;
}

static struct ptl_track *make_track(struct ptl_timeline *timeline,
				    struct ptl_process *process, pid_t tid)
{
	struct {
		struct ptl_process *process;
		pid_t tid;
	} key;
	struct ptl_track *track;

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

static struct ptl_track *track_of(struct ptl_timeline *timeline,
				  const struct ptl_step *step)
{
	struct ptl_track *track;

	if (step->process == NULL)
		return make_track(timeline, NULL, 0);
	track = step->thread->of[PTL_TASK_PAGE];
	if (track == NULL || track->process != step->process) {
		track = step->thread->of[PTL_TASK_PAGE] =
			make_track(timeline, step->process, step->thread->tid);
		track->host = step->view->source->host;
	}
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

/* Makes a slice of what has ended; at: -1: its end was not seen. */
static void put_call(struct ptl_timeline *timeline, struct ptl_call *call,
		     int64_t end, bool is_ended)
{
	struct ptl_detail detail = {.nr = call->nr_numbers};
	struct ptl_slice *slice = &call->slice;

	if (call->number != NULL)
		memcpy(detail.number, call->number,
		       call->nr_numbers * sizeof(*call->number));
	free(call->number);
	if (!is_ended && call->kind == FUNCTION &&
	    ptl_hash_find(&timeline->returns, &slice->name,
			  sizeof(slice->name)) == NULL)
		end = slice->begin; /* nobody asked when it returns */
	else if (!is_ended)
		slice->flags |= PTL_SLICE_OPEN;
	slice->end = end > slice->begin ? end : slice->begin;
	slice->took = is_ended ? slice->end - slice->begin : -1;
	ptl_slices_add(&timeline->slices, slice, &detail);
}

/* Calls of which no end was seen, down to so many. */
static void end_calls(struct ptl_timeline *timeline, struct ptl_track *track,
		      size_t nr, int64_t end, bool is_ended)
{
	while (track->nr_calls > nr) {
		struct ptl_call *call = &track->call[track->nr_calls - 1];

		/* It is not asked for by merging any longer. */
		track->nr_calls--;
		put_call(timeline, call, end,
			 is_ended && call->kind != FUNCTION);
	}
}

/* The end of a call may be lost: an end that comes is perhaps another one's. */
static void end_doubtful(struct ptl_timeline *timeline, struct ptl_track *track,
			 int64_t now)
{
	size_t first = 0;

	if (track->losses == timeline->losses)
		return;
	track->losses = timeline->losses;
	while (first < track->nr_calls && track->call[first].kind != FUNCTION)
		first++;
	end_calls(timeline, track, first, now, false);
}

static void limit_calls(struct ptl_timeline *timeline, struct ptl_track *track)
{
	struct ptl_call old[MAX_CALLS / 2];

	if (track->nr_calls < MAX_CALLS)
		return;
	memcpy(old, track->call, sizeof(old));
	track->nr_calls -= MAX_CALLS / 2;
	memmove(track->call, track->call + MAX_CALLS / 2,
		track->nr_calls * sizeof(*old));
	for (int i = 0; i < MAX_CALLS / 2; i++)
		put_call(timeline, &old[i], old[i].slice.begin, false);
}

static void push(struct ptl_timeline *timeline, struct ptl_track *track,
		 int kind, const struct ptl_slice *slice,
		 const struct ptl_detail *detail, uint64_t callee)
{
	struct ptl_call *call;

	limit_calls(timeline, track);
	track->call = ptl_grow(track->call, track->nr_calls, &track->calls_room,
			       sizeof(*track->call));
	call = &track->call[track->nr_calls++];
	*call = (struct ptl_call){
		.kind = kind, .callee = callee, .slice = *slice};
	call->nr_numbers = detail->nr;
	if (detail->nr == 0)
		return;
	call->number = ptl_alloc(detail->nr * sizeof(*call->number));
	memcpy(call->number, detail->number,
	       detail->nr * sizeof(*call->number));
}

/* The call's arguments, and behind them the result of the event that ends it.
 */
static void add_result(struct ptl_timeline *timeline, struct ptl_call *call,
		       const struct ptl_view *view)
{
	struct ptl_detail before = {.nr = call->nr_numbers}, whole;

	if (call->slice.text != 0)
		before.text = ptl_texts_bytes(&timeline->texts,
					      call->slice.text, &before.size);
	if (call->number != NULL)
		memcpy(before.number, call->number,
		       call->nr_numbers * sizeof(*call->number));
	ptl_detail_make(&whole, view, &before);
	call->slice.text =
		ptl_texts_number(&timeline->texts, whole.text, whole.size);
	free(call->number);
	call->number = ptl_alloc((whole.nr + 1) * sizeof(*call->number));
	memcpy(call->number, whole.number, whole.nr * sizeof(*whole.number));
	call->nr_numbers = call->slice.text != 0 ? whole.nr : 0;
}

/* The innermost call of the function, counted from 1; 0: there is none. */
static size_t find_function(const struct ptl_track *track, uint64_t callee)
{
	size_t at = track->nr_calls;

	while (at > 0 && (track->call[at - 1].kind != FUNCTION ||
			  track->call[at - 1].callee != callee))
		at--;
	return at;
}

/* That call ends then; what was called in it and has no end remains. */
static void end_function(struct ptl_timeline *timeline, struct ptl_track *track,
			 const struct ptl_step *step, size_t at, int64_t end)
{
	struct ptl_call call = track->call[at - 1];

	track->nr_calls--;
	memmove(&track->call[at - 1], &track->call[at],
		(track->nr_calls - (at - 1)) * sizeof(call));
	add_result(timeline, &call, step->view);
	call.slice.nr++;
	put_call(timeline, &call, end, true);
}

/* A call ends; or it has just begun, and this says when it will end. */
static void learn_leave(struct ptl_timeline *timeline, struct ptl_track *track,
			const struct ptl_step *step, struct ptl_slice *slice,
			const struct ptl_detail *detail)
{
	int64_t callee = ptl_step_number(step, "callee", 0);
	size_t at = find_function(track, (uint64_t)callee);
	bool is_begin = step->view->source->duration >= 0;

	*(bool *)ptl_hash_get(&timeline->returns, &slice->name,
			      sizeof(slice->name)) = true;
	if (at > 0) {
		if (!is_begin)
			end_calls(timeline, track, at, step->now, false);
		end_function(timeline, track, step, at,
			     is_begin ? step->now + step->duration : step->now);
		return;
	}
	if (is_begin && step->duration >= 0) {
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
	timeline->losses += !is_over;
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

/* The name of a thread or program that begins now, or the event's. */
static const char *name_of(const struct ptl_step *step)
{
	const char *name = NULL;

	switch (step->kind->act) {
	case PTL_ACT_START:
		name = ptl_program_name(&step->view->args);
		break;
	case PTL_ACT_ENTER:
	case PTL_ACT_LEAVE:
		name = ptl_step_string(step, "function");
		break;
	default:
		break;
	}
	return name != NULL ? name : step->kind->name;
}

static void learn_slice(struct ptl_timeline *timeline, struct ptl_track *track,
			const struct ptl_step *step, struct ptl_slice *slice,
			const struct ptl_detail *detail)
{
	int64_t callee = ptl_step_number(step, "callee", 0);

	switch (step->kind->act) {
	case PTL_ACT_START:
		end_calls(timeline, track, 0, step->now, true);
		push(timeline, track, PROGRAM, slice, detail, 0);
		break;
	case PTL_ACT_THREAD_START:
		end_calls(timeline, track, 0, step->now, true);
		push(timeline, track, THREAD, slice, detail, 0);
		break;
	case PTL_ACT_EXIT:
	case PTL_ACT_THREAD_EXIT:
		end_calls(timeline, track, 0, step->now, true);
		ptl_slices_add(&timeline->slices, slice, detail);
		break;
	case PTL_ACT_ENTER:
		push(timeline, track, FUNCTION, slice, detail,
		     (uint64_t)callee);
		break;
	case PTL_ACT_LEAVE:
		learn_leave(timeline, track, step, slice, detail);
		break;
	default:
		ptl_slices_add(&timeline->slices, slice, detail);
	}
}

static void learn(void *of, const struct ptl_step *step)
{
	struct ptl_timeline *timeline = of;
	struct ptl_track *track = track_of(timeline, step);
	bool is_timed = step->duration >= 0 && step->kind->act != PTL_ACT_LEAVE;
	struct ptl_slice slice = {.begin = step->now,
				  .end = step->now,
				  .took = is_timed ? step->duration : -1,
				  .track = track->number,
				  .nr = 1};
	struct ptl_detail detail;

	timeline->events++;
	if (is_timed)
		slice.end += step->duration;
	if (step->error != NULL)
		slice.flags = PTL_SLICE_FAILED;
	slice.name = name_number(timeline, name_of(step));
	slice.stack = stack_number(step);
	ptl_detail_make(&detail, step->view, NULL);
	slice.text =
		ptl_texts_number(&timeline->texts, detail.text, detail.size);
	if (slice.text == 0)
		detail.nr = 0;
	if (step->process == NULL)
		learn_loss(timeline, step);
	if (step->view->type->kind->act == PTL_ACT_THREAD_NAME)
		track->name = ptl_step_string(step, "name");
	end_doubtful(timeline, track, step->now);
	learn_slice(timeline, track, step, &slice, &detail);
}

void ptl_timeline_end(struct ptl_timeline *timeline,
		      const struct ptl_model *model)
{
	if (timeline->is_losing)
		timeline->loss[timeline->nr_losses - 1].end = model->last;
	for (size_t i = 0; i < timeline->tracks.nr; i++) {
		struct ptl_track *track = timeline->track[i];
		const struct ptl_process *process = track->process;

		end_calls(timeline, track, 0,
			  process != NULL ? process->end : model->last,
			  process != NULL && process->is_ended);
	}
	timeline->slices.open = NULL;
	learn_callers(timeline, model->stacks);
}

static void end(void *of)
{
	struct ptl_timeline *timeline = of;

	for (size_t i = 0; i < timeline->tracks.nr; i++)
		free(timeline->track[i]->call);
	ptl_slices_free(&timeline->slices);
	ptl_texts_free(&timeline->names);
	ptl_texts_free(&timeline->texts);
	ptl_hash_clear(&timeline->tracks);
	ptl_hash_clear(&timeline->returns);
	free(timeline->track);
	free(timeline->loss);
	free(timeline->caller);
	free(timeline);
}

const struct ptl_report_view ptl_report_timeline = {
	.name = "timeline",
	.begin = begin,
	.event = learn,
	.free = end,
};
