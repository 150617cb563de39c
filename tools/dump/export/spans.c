/* SPDX-License-Identifier: MIT */
/* What lasts; see spans.h. */
#include "tools/dump/export/spans.h"

#include <string.h>

#include "tools/lib/say.h"
#include "tools/read/modules.h"

static const char unknown[] = "[unknown]";

static uint64_t ns_of(const struct posix_trace_event_info *event)
{
	return (uint64_t)event->posix_timestamp.tv_sec * 1000000000 +
	       (uint64_t)event->posix_timestamp.tv_nsec;
}

static struct ptl_span *innermost(const struct ptl_thread *thread)
{
	return thread->nr_spans > 0 ? &thread->span[thread->nr_spans - 1] :
				      NULL;
}

static bool has_end(const struct ptl_span *span)
{
	return span->kind == PTL_SPAN_TIMED || span->is_told;
}

static void pop(struct ptl_spans *spans, struct ptl_thread *thread, uint64_t at)
{
	const struct ptl_span *span = innermost(thread);

	if (spans->ended != NULL && !span->is_told)
		spans->ended(spans->to, thread, span, at);
	thread->nr_spans--;
}

/* Down to so many. */
static void pop_to(struct ptl_spans *spans, struct ptl_thread *thread,
		   size_t nr, uint64_t at)
{
	while (thread->nr_spans > nr) {
		const struct ptl_span *span = innermost(thread);

		pop(spans, thread,
		    has_end(span) && span->end < at ? span->end : at);
	}
}

/* What is over by now, and what is in it. */
static void pop_over(struct ptl_spans *spans, struct ptl_thread *thread)
{
	size_t i = 0;

	while (i < thread->nr_spans && !(has_end(&thread->span[i]) &&
					 thread->span[i].end <= spans->now))
		i++;
	if (i < thread->nr_spans)
		pop_to(spans, thread, i, spans->now);
}

/*
 * Calls that are left by a jump have no end, and each new one would be in the
 * last: when there are too many all of them end, but for the program or thread
 * that they are in.
 */
static void limit_depth(struct ptl_spans *spans, struct ptl_thread *thread)
{
	if (thread->nr_spans < PTL_SPANS_DEPTH)
		return;
	pop_to(spans, thread, thread->span[0].kind <= PTL_SPAN_THREAD,
	       spans->now);
}

static void push(struct ptl_spans *spans, struct ptl_thread *thread,
		 struct ptl_span span)
{
	const struct ptl_span *outer;

	limit_depth(spans, thread);
	outer = innermost(thread);

	if (outer != NULL && has_end(outer) && span.kind == PTL_SPAN_TIMED &&
	    span.end > outer->end)
		span.end = outer->end;
	thread->span = ptl_grow(thread->span, thread->nr_spans,
				&thread->spans_room, sizeof(span));
	thread->span[thread->nr_spans++] = span;
}

/* The innermost span of that kind ends, and what is in it; false: there is
 * none. */
static bool end_of(struct ptl_spans *spans, struct ptl_thread *thread, int kind,
		   uint64_t callee)
{
	for (size_t i = thread->nr_spans; i > 0; i--) {
		const struct ptl_span *span = &thread->span[i - 1];

		if ((int)span->kind != kind || span->callee != callee)
			continue;
		pop_to(spans, thread, i, spans->now);
		thread->nr_spans--;
		return true;
	}
	return false;
}

/* What all threads of a process are in ends, but of one. */
static void end_threads(struct ptl_spans *spans, struct ptl_process *process,
			const struct ptl_thread *but)
{
	for (struct ptl_thread *thread = process->threads; thread != NULL;
	     thread = thread->sibling)
		if (thread != but)
			pop_to(spans, thread, 0, spans->now);
}

static void name_call(struct ptl_moment *moment, const struct ptl_view *view)
{
	const struct ptl_arg *function =
		ptl_decode_find(&view->args, "function");

	if (function != NULL) {
		moment->name = function->bytes;
		moment->name_size = function->size;
	} else if (moment->shape != PTL_SHAPE_INSTANT) {
		moment->name = unknown;
		moment->name_size = strlen(unknown);
	}
}

static void take_enter(struct ptl_spans *spans, struct ptl_thread *thread,
		       const struct ptl_view *view, struct ptl_moment *moment)
{
	const struct ptl_arg *callee = ptl_decode_find(&view->args, "callee");
	struct ptl_callee known;

	if (callee == NULL || !ptl_returns_has(spans->returns, view->source,
					       (uint64_t)callee->value))
		return;
	known = ptl_modules_function(view->source->modules, view->event,
				     (uint64_t)callee->value);
	moment->shape = PTL_SHAPE_BEGIN;
	push(spans, thread,
	     (struct ptl_span){.kind = PTL_SPAN_CALL,
			       .name = known.function ? known.function :
							unknown,
			       .callee = (uint64_t)callee->value});
}

static void take_timed(struct ptl_spans *spans, struct ptl_thread *thread,
		       const struct ptl_view *view, struct ptl_moment *moment)
{
	if (view->duration < 0)
		return;
	moment->shape = PTL_SHAPE_TIMED;
	if (__builtin_add_overflow(moment->begin, (uint64_t)view->duration,
				   &moment->end))
		moment->end = moment->begin;
	push(spans, thread,
	     (struct ptl_span){.kind = PTL_SPAN_TIMED,
			       .name = view->type->name,
			       .end = moment->end});
}

/* The innermost call of the function whose end is not known, or NULL. */
static struct ptl_span *find_call(struct ptl_thread *thread, uint64_t callee)
{
	for (size_t i = thread->nr_spans; i > 0; i--) {
		struct ptl_span *span = &thread->span[i - 1];

		if (span->kind == PTL_SPAN_CALL && !span->is_told &&
		    span->callee == callee)
			return span;
	}
	return NULL;
}

/* A call has begun, and this says when it will end: the span that it is, if its
 * begin was recorded, too. */
static void take_later(struct ptl_spans *spans, struct ptl_thread *thread,
		       const struct ptl_view *view, struct ptl_moment *moment,
		       uint64_t callee)
{
	struct ptl_span *span = find_call(thread, callee);

	if (span == NULL) {
		take_timed(spans, thread, view, moment);
		return;
	}
	if (__builtin_add_overflow(moment->begin, (uint64_t)view->duration,
				   &moment->end))
		moment->end = moment->begin;
	if (span > thread->span && has_end(span - 1) &&
	    moment->end > span[-1].end)
		moment->end = span[-1].end;
	span->end = moment->end;
	span->is_told = true;
	moment->shape = PTL_SHAPE_LATER;
}

static void take_exit(struct ptl_spans *spans, struct ptl_thread *thread,
		      const struct ptl_view *view, struct ptl_moment *moment)
{
	const struct ptl_arg *arg = ptl_decode_find(&view->args, "callee");
	uint64_t callee = arg != NULL ? (uint64_t)arg->value : 0;

	if (arg != NULL && view->source->duration >= 0)
		take_later(spans, thread, view, moment, callee);
	else if (arg != NULL && end_of(spans, thread, PTL_SPAN_CALL, callee))
		moment->shape = PTL_SHAPE_END;
}

static void begin(struct ptl_spans *spans, struct ptl_thread *thread, int kind,
		  struct ptl_moment *moment)
{
	if (kind == PTL_SPAN_PROGRAM)
		end_threads(spans, thread->process, NULL);
	pop_to(spans, thread, 0, spans->now);
	moment->shape = PTL_SHAPE_BEGIN;
	push(spans, thread,
	     (struct ptl_span){.kind = kind, .name = moment->name});
}

void ptl_spans_take(struct ptl_spans *spans, struct ptl_thread *thread,
		    const struct ptl_view *view, struct ptl_moment *moment)
{
	*moment = (struct ptl_moment){.begin = ns_of(view->event),
				      .name = view->type->name,
				      .name_size = view->type->name_size};
	spans->now = moment->begin;
	pop_over(spans, thread);
	switch (view->type->kind->act) {
	case PTL_ACT_START:
		begin(spans, thread, PTL_SPAN_PROGRAM, moment);
		break;
	case PTL_ACT_EXIT:
		end_threads(spans, thread->process, thread);
		if (end_of(spans, thread, PTL_SPAN_PROGRAM, 0))
			moment->shape = PTL_SHAPE_END;
		else
			pop_to(spans, thread, 0, spans->now);
		break;
	case PTL_ACT_THREAD_START:
		begin(spans, thread, PTL_SPAN_THREAD, moment);
		break;
	case PTL_ACT_THREAD_EXIT:
		if (end_of(spans, thread, PTL_SPAN_THREAD, 0))
			moment->shape = PTL_SHAPE_END;
		break;
	case PTL_ACT_ENTER:
		take_enter(spans, thread, view, moment);
		name_call(moment, view);
		break;
	case PTL_ACT_LEAVE:
		take_exit(spans, thread, view, moment);
		name_call(moment, view);
		break;
	default:
		take_timed(spans, thread, view, moment);
	}
}

void ptl_spans_close(struct ptl_spans *spans, struct ptl_thread *thread)
{
	pop_to(spans, thread, 0, spans->now);
}

void ptl_spans_title(const struct ptl_thread *thread,
		     const struct ptl_view *view, struct ptl_moment *moment)
{
	if (view->type->kind->act != PTL_ACT_START ||
	    thread->process->name == NULL)
		return;
	moment->name = thread->process->name;
	moment->name_size = strlen(moment->name);
}

size_t ptl_spans_family(const struct ptl_type *type, const char **family)
{
	const char *colon = strchr(type->name, ':');

	if (type->is_system && colon != NULL) {
		*family = type->name;
		return (size_t)(colon - type->name);
	}
	*family = type->is_system ? "posix_trace" : "user";
	return strlen(*family);
}
