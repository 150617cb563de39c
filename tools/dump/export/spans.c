/* SPDX-License-Identifier: MIT */
/* What lasts; see spans.h. */
#include "tools/dump/export/spans.h"
#include "tools/lib/clock.h"

#include <string.h>

static const char unknown[] = "[unknown]";

/* Kept with a call that began in the track, and was cut there. */
static struct ptl_lane cut;

/* The event that tells of it was not shown, or there is none. */
static void tell_pending(struct ptl_spans *spans)
{
	if (spans->pending != NULL && spans->pending != &cut)
		spans->ended(spans->to, spans->pending, spans->pending_at);
	spans->pending = NULL;
}

/* There is room for another span where this one was. */
static void give_up(struct ptl_lane *lane, uint64_t at)
{
	lane->is_taken = false;
	lane->until = at;
	if (lane->number == 0)
		lane->track->depth--;
}

/* When the span can end in the track: not before those in it, nor after what it
 * is in. */
static uint64_t nested_end(const struct ptl_thread *thread,
			   const struct ptl_call *call,
			   const struct ptl_call *outer, uint64_t at)
{
	uint64_t latest = ptl_callstack_latest(thread->calls, call);

	if (at < latest)
		at = latest;
	return outer != NULL && at > outer->end ? outer->end : at;
}

/* A call ends in the track, some time. */
static void end_cut(struct ptl_spans *spans, struct ptl_lane *lane,
		    struct ptl_call *call, uint64_t at)
{
	tell_pending(spans);
	give_up(lane, at);
	spans->ended(spans->to, lane, at);
	call->of[spans->user.number] = &cut;
}

/* The lane is kept with a call while an end is to be written. */
static void leave(void *of, struct ptl_thread *thread, struct ptl_call *call,
		  struct ptl_call *outer, uint64_t at, enum ptl_call_end how)
{
	struct ptl_spans *spans = of;
	struct ptl_lane *lane = call->of[spans->user.number];
	uint64_t nested = at;

	if (lane == NULL)
		return;
	tell_pending(spans);
	if (lane != &cut && lane->number == 0)
		nested = nested_end(thread, call, outer, at);
	if (nested > at && how == PTL_CALL_RETURNED) {
		end_cut(spans, lane, call, nested);
		lane = &cut;
	} else if (lane != &cut) {
		give_up(lane, nested);
	}
	spans->pending = lane;
	spans->pending_at = nested;
	if (how != PTL_CALL_RETURNED)
		tell_pending(spans);
}

/* A viewer would take it for what is in what comes next. */
static void pass(void *of, struct ptl_thread *thread, struct ptl_call *call,
		 struct ptl_call *outer, uint64_t at)
{
	struct ptl_spans *spans = of;
	struct ptl_lane *lane = call->of[spans->user.number];

	if (lane != NULL && lane != &cut && lane->number == 0)
		end_cut(spans, lane, call, nested_end(thread, call, outer, at));
}

void ptl_spans_begin(struct ptl_spans *spans, struct ptl_calls *calls,
		     void (*ended)(void *to, struct ptl_lane *lane,
				   uint64_t at),
		     void *to)
{
	*spans = (struct ptl_spans){
		.user = {.wants_lives = true,
			 .wants_libc = true,
			 .leave = leave,
			 .pass = pass,
			 .of = spans},
		.calls = calls,
		.ended = ended,
		.to = to,
	};
	ptl_calls_add_user(calls, &spans->user);
}

static void name(struct ptl_span *span, const struct ptl_step *step)
{
	const struct ptl_arg *function = NULL;

	if (ptl_act_enters(step->kind->act) || step->kind->act == PTL_ACT_LEAVE)
		function = ptl_decode_find(&step->view->args, "function");
	if (function != NULL) {
		span->name = function->bytes;
		span->name_size = function->size;
	} else if (step->moment.call != NULL &&
		   step->moment.call->kind == PTL_CALL_FUNCTION) {
		span->name = unknown;
		span->name_size = strlen(unknown);
	}
}

void ptl_spans_title(struct ptl_span *span, const struct ptl_track *track,
		     const struct ptl_step *step)
{
	const char *program = ptl_tracks_program(track->group);

	if (step->kind->act != PTL_ACT_START || program == NULL)
		return;
	span->name = program;
	span->name_size = strlen(program);
}

/* The end of a call is known; viewers do not draw it behind that of what it is
 * in. */
static void set_end(struct ptl_span *span, const struct ptl_moment *moment)
{
	span->end = moment->call->end;
	if (moment->outer != NULL && span->end > moment->outer->end)
		span->end = moment->outer->end;
}

/*
 * Calls that are left by a jump have no end, and each new one would be in the
 * last: when there are too many all of them end, but for the program or thread
 * that they are in.
 */
static void limit_depth(struct ptl_spans *spans, const struct ptl_span *span,
			const struct ptl_moment *moment)
{
	struct ptl_call *call = moment->outer;

	for (; call != NULL && call->kind >= PTL_CALL_FUNCTION;
	     call = ptl_calls_outer(moment->thread, call)) {
		struct ptl_lane *lane = call->of[spans->user.number];

		if (lane == NULL || lane == &cut || lane->number > 0)
			continue;
		give_up(lane, span->begin);
		spans->ended(spans->to, lane, span->begin);
		call->of[spans->user.number] = NULL;
	}
}

/* Beside the track: until then at least, if that is known. */
static void set_aside(struct ptl_track *track, const struct ptl_step *step,
		      struct ptl_span *span)
{
	span->lane = ptl_tracks_lane(track, span->begin);
	span->lane->name = ptl_intern(span->name, span->name_size);
	span->lane->name_size = span->name_size;
	span->lane->family = ptl_family_name(step->kind->family);
}

/* The end of the call is to be shown, when it comes. */
static void keep(struct ptl_spans *spans, const struct ptl_step *step,
		 struct ptl_span *span)
{
	const struct ptl_moment *moment = &step->moment;
	struct ptl_track *track = span->lane->track;

	if (moment->call->kind == PTL_CALL_FUNCTION &&
	    (moment->call->is_aside || (!ptl_call_is_known(moment->call) &&
					moment->thread->calls->has_fibers))) {
		set_aside(track, step, span);
	} else {
		if (track->depth >= PTL_SPANS_DEPTH)
			limit_depth(spans, span, moment);
		track->depth++;
	}
	moment->call->of[spans->user.number] = span->lane;
}

/* All of it, now that its end is known. */
static void take_whole(struct ptl_track *track, const struct ptl_step *step,
		       struct ptl_span *span)
{
	span->shape = PTL_SHAPE_WHOLE;
	span->begin = step->moment.call->begin;
	span->end = step->moment.call->end;
	set_aside(track, step, span);
	give_up(span->lane, span->end);
}

static void take_end(struct ptl_spans *spans, struct ptl_track *track,
		     const struct ptl_step *step, struct ptl_span *span)
{
	struct ptl_lane *pending = spans->pending;

	spans->pending = NULL;
	if (pending == &cut) {
		take_whole(track, step, span);
	} else if (pending != NULL) {
		span->shape = PTL_SHAPE_END;
		span->lane = pending;
	}
}

/* The call's end is known, and its begin was shown. */
static void take_later(struct ptl_lane **kept, const struct ptl_step *step,
		       struct ptl_span *span)
{
	span->shape = PTL_SHAPE_LATER;
	span->lane = *kept;
	*kept = NULL;
	if (span->lane->number == 0)
		set_end(span, &step->moment);
	else
		span->end = step->moment.call->end;
	give_up(span->lane, span->end);
}

/* One that ended before a later one of its thread would not be nested. */
static void set_user(struct ptl_track *track, const struct ptl_userspan *user,
		     struct ptl_span *span)
{
	span->begin = user->begin;
	span->name = user->name;
	span->name_size = strlen(user->name);
	span->lane = ptl_tracks_span_lane(track, !user->is_crossed, span->begin,
					  span->end);
	span->lane->name = span->name;
	span->lane->name_size = span->name_size;
	span->lane->family = ptl_family_name(PTL_FAMILY_USER);
}

/* In the track where it began, if that was shown. */
static void take_user(struct ptl_track *track, const struct ptl_step *step,
		      struct ptl_span *span)
{
	struct ptl_userspan *user = step->span;

	if (step->kind->act == PTL_ACT_SPAN_BEGIN) {
		user->kept = track;
		return;
	}
	span->shape = PTL_SHAPE_WHOLE;
	span->end = span->at;
	set_user(user->kept != NULL ? user->kept : track, user, span);
}

/* A time off the processor is no call, and may begin in one and end behind it.
 */
static void take_off(struct ptl_track *track, const struct ptl_step *step,
		     struct ptl_span *span)
{
	const struct ptl_args *args = &step->view->args;
	const struct ptl_arg *took = ptl_decode_find(args, "duration");
	const struct ptl_arg *preempted = ptl_decode_find(args, "preempted");
	struct ptl_lane *lane = &track->off;

	if (took == NULL || took->value < 0)
		return;
	span->shape = PTL_SHAPE_WHOLE;
	span->end = span->begin + (uint64_t)took->value;
	if (preempted != NULL && preempted->value != 0)
		span->name = "no CPU was free";
	else if (step->view->event->posix_prog_address != NULL)
		span->name = "page fault";
	else
		span->name = "off the processor";
	span->name_size = strlen(span->name);
	span->lane = lane;
	lane->name = span->name;
	lane->name_size = span->name_size;
	lane->family = ptl_family_name(step->kind->family);
}

void ptl_spans_take(struct ptl_spans *spans, struct ptl_track *track,
		    const struct ptl_step *step, struct ptl_span *span)
{
	const struct ptl_moment *moment = &step->moment;
	struct ptl_call *call = moment->call;
	struct ptl_lane **kept = NULL;

	*span = (struct ptl_span){
		.lane = &track->own,
		.begin = ptl_ns(&step->view->event->posix_timestamp),
		.name = step->view->type->name,
		.name_size = step->view->type->name_size};
	span->at = span->begin;
	name(span, step);
	if (step->span != NULL) {
		take_user(track, step, span);
		return;
	}
	if (step->kind->act == PTL_ACT_SCHED_OFF)
		take_off(track, step, span);
	if (call == NULL)
		return;
	kept = (struct ptl_lane **)&call->of[spans->user.number];
	if (moment->ends) {
		take_end(spans, track, step, span);
	} else if (call->end == PTL_CALL_OPEN ||
		   (moment->begins && !moment->is_told && !call->is_tail)) {
		span->shape = PTL_SHAPE_BEGIN;
		keep(spans, step, span);
	} else if (*kept != NULL && *kept != &cut) {
		take_later(kept, step, span);
	} else if (call->is_aside) {
		take_whole(track, step, span);
	} else {
		span->shape = PTL_SHAPE_TIMED;
		if (spans->wants_all)
			keep(spans, step, span);
		set_end(span, moment);
	}
}

void ptl_spans_learn(struct ptl_spans *spans)
{
	tell_pending(spans);
}

void ptl_spans_end(struct ptl_spans *spans)
{
	ptl_calls_finish(spans->calls);
	tell_pending(spans);
}

bool ptl_spans_next_open(const struct ptl_model *model,
			 const struct ptl_userspan **user,
			 struct ptl_span *span)
{
	while ((*user = ptl_userspans_next_open(model->userspans, *user)) !=
	       NULL) {
		if ((*user)->kept == NULL)
			continue;
		*span = (struct ptl_span){.end = UINT64_MAX};
		set_user((*user)->kept, *user, span);
		return true;
	}
	return false;
}
