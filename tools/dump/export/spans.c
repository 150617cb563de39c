/* SPDX-License-Identifier: MIT */
/* What lasts; see spans.h. */
#include "tools/dump/export/spans.h"

#include <string.h>

static const char unknown[] = "[unknown]";

static uint64_t ns_of(const struct posix_trace_event_info *event)
{
	return (uint64_t)event->posix_timestamp.tv_sec * 1000000000 +
	       (uint64_t)event->posix_timestamp.tv_nsec;
}

/* The event that tells of it was not shown, or there is none. */
static void tell_pending(struct ptl_spans *spans)
{
	if (spans->pending != NULL)
		spans->ended(spans->to, spans->pending, spans->pending_at);
	spans->pending = NULL;
}

/* The track is kept with a call while an end is to be written. */
static void leave(void *of, struct ptl_thread *thread, struct ptl_call *call,
		  struct ptl_call *outer, uint64_t at, enum ptl_call_end how)
{
	struct ptl_spans *spans = of;
	struct ptl_track *track = call->of[spans->user.number];

	(void)thread;
	if (track == NULL)
		return;
	track->depth--;
	if (outer != NULL && at > outer->end)
		at = outer->end;
	tell_pending(spans);
	spans->pending = track;
	spans->pending_at = at;
	if (how != PTL_CALL_RETURNED)
		tell_pending(spans);
}

/* A viewer would take it for what is in what comes next. */
static void pass(void *of, struct ptl_thread *thread, struct ptl_call *call,
		 struct ptl_call *outer, uint64_t at)
{
	struct ptl_spans *spans = of;
	struct ptl_track *track = call->of[spans->user.number];

	(void)thread;
	if (track == NULL)
		return;
	track->depth--;
	if (outer != NULL && at > outer->end)
		at = outer->end;
	tell_pending(spans);
	spans->ended(spans->to, track, at);
	call->of[spans->user.number] = NULL;
}

void ptl_spans_begin(struct ptl_spans *spans, struct ptl_calls *calls,
		     void (*ended)(void *to, struct ptl_track *track,
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

/* Its end is known; viewers do not draw it behind that of what it is in. */
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
		struct ptl_track **kept =
			(struct ptl_track **)&call->of[spans->user.number];

		if (*kept == NULL)
			continue;
		(*kept)->depth--;
		spans->ended(spans->to, *kept, span->begin);
		*kept = NULL;
	}
}

/* Its end is to be shown, when it comes. */
static void keep(struct ptl_spans *spans, struct ptl_track *track,
		 const struct ptl_span *span, const struct ptl_moment *moment)
{
	if (track->depth >= PTL_SPANS_DEPTH)
		limit_depth(spans, span, moment);
	moment->call->of[spans->user.number] = track;
	track->depth++;
}

void ptl_spans_take(struct ptl_spans *spans, struct ptl_track *track,
		    const struct ptl_step *step, struct ptl_span *span)
{
	const struct ptl_moment *moment = &step->moment;
	struct ptl_call *call = moment->call;
	void **kept = call != NULL ? &call->of[spans->user.number] : NULL;

	*span = (struct ptl_span){.begin = ns_of(step->view->event),
				  .name = step->view->type->name,
				  .name_size = step->view->type->name_size};
	name(span, step);
	if (call == NULL)
		return;
	if (moment->ends) {
		span->shape = spans->pending != NULL ? PTL_SHAPE_END :
						       PTL_SHAPE_INSTANT;
		spans->pending = NULL;
	} else if (call->end == PTL_CALL_OPEN ||
		   (moment->begins && !moment->is_told && !call->is_tail)) {
		span->shape = PTL_SHAPE_BEGIN;
		keep(spans, track, span, moment);
	} else if (*kept != NULL) {
		span->shape = PTL_SHAPE_LATER;
		track->depth--;
		*kept = NULL;
		set_end(span, moment);
	} else {
		span->shape = PTL_SHAPE_TIMED;
		if (spans->wants_all)
			keep(spans, track, span, moment);
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
