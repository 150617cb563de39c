/* SPDX-License-Identifier: MIT */
/*
 * OpenTelemetry's protocol as JSON: each line is a request as collectors take
 * it. A program that a process runs is a resource and a span (otlp_life.h), and
 * so is a call that took long enough.  What is no span, and failed, or is the
 * program's own, is an event of its program's span.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/dump/export/otlp_life.h"
#include "tools/dump/export/otlp_put.h"
#include "tools/dump/parts/look.h"
#include "tools/dump/parts/sink.h"
#include "tools/lib/clock.h"
#include "tools/lib/quote.h"
#include "tools/lib/say.h"
#include "tools/read/value.h"

/* So many events a span has at most: what SDKs send. */
#define EVENTS_MOST 128

/* Kept with a call, or a span of the user's own, that goes on. */
struct open_call {
	struct ptl_otlp_life *life;
	uint64_t id, parent;
	const char *name;
	struct ptl_bytes attributes; /* of a call whose end is not known yet */
	struct ptl_bytes links;	     /* of a span of the user's own */
};

static struct ptl_calls_user user;
static int64_t slowest; /* ns: a call that is faster is no span */
static struct ptl_bytes scratch;

/* ---- calls ----------------------------------------------------------- */

/* Numbers and paths; what was read, written or asked for may be a secret. */
static bool is_told(const struct ptl_arg *arg)
{
	char buf[PTL_WORDS_MAX];
	struct ptl_value value;

	if (ptl_words_omit(arg) || strcmp(arg->name, "errno") == 0)
		return false;
	ptl_value_of(&value, arg, buf);
	return value.kind == PTL_VALUE_INT || value.kind == PTL_VALUE_UINT;
}

/* NULL: it did not fail.  "_OTHER" is what OpenTelemetry calls what has no
 * name.
 */
static const char *error_of(const struct ptl_step *step)
{
	if (step->view->outcome != PTL_OUTCOME_FAILED)
		return NULL;
	return step->error != NULL ? ptl_step_error(step) : "_OTHER";
}

static void put_contexts(struct ptl_out *to, const struct ptl_view *view)
{
	const struct ptl_arg *arg;
	unsigned int at = 0;

	while ((arg = ptl_view_context(view, &at)) != NULL)
		ptl_otlp_argument(to, view->source, arg->name, arg);
}

static void put_call_attributes(struct ptl_out *to, const struct ptl_step *step)
{
	const struct ptl_view *view = step->view;

	ptl_otlp_int(to, "thread.id", view->event->posix_tid_np);
	if (step->thread != NULL)
		ptl_otlp_text(to, "thread.name", step->thread->name);
	ptl_otlp_text(to, "code.function.name", view->sym);
	ptl_otlp_text(to, "file.path", ptl_step_path(step, "path"));
	ptl_otlp_text(to, "error.type", error_of(step));
	for (unsigned int i = 0; i < view->args.nr; i++) {
		const struct ptl_arg *arg = &view->args.arg[i];
		char key[PTL_DECODE_NAME + 16];

		if (!is_told(arg))
			continue;
		snprintf(key, sizeof(key), "libptrace.%s", arg->name);
		ptl_otlp_argument(to, view->source, key, arg);
	}
	put_contexts(to, view);
}

static void put_attributes(struct ptl_bytes *to, const struct ptl_step *step)
{
	struct ptl_out *put = ptl_otlp_write_to(to);

	ptl_otlp_open_list(put, "attributes");
	put_call_attributes(put, step);
	ptl_otlp_close_list(put);
	ptl_otlp_written();
}

static const char *call_name(const struct ptl_step *step)
{
	const struct ptl_arg *function = NULL;

	if (ptl_act_enters(step->kind->act) || step->kind->act == PTL_ACT_LEAVE)
		function = ptl_decode_find(&step->view->args, "function");
	if (function != NULL)
		return ptl_intern(function->bytes, function->size);
	return step->moment.call->kind == PTL_CALL_FUNCTION ? "[unknown]" :
							      step->kind->name;
}

/* The span of the user's own that the thread is in; NULL: none. */
static const struct ptl_userspan *user_span(const struct ptl_step *step)
{
	const struct ptl_thread *thread = step->thread;

	return thread != NULL && thread->span != NULL &&
			       thread->span->life == thread->life ?
		       thread->span :
		       NULL;
}

/* What it is in: the call or the span of the user's own that began last, as far
 * as that may be shown; or its program. */
static uint64_t parent_id(const struct ptl_otlp_life *life,
			  const struct ptl_step *step,
			  const struct ptl_userspan *own)
{
	const struct ptl_call *call = step->moment.outer;
	const struct open_call *open = NULL;

	for (; call != NULL;
	     call = ptl_calls_outer(step->moment.thread, call)) {
		open = call->of[user.number];
		if (open != NULL && open->life == life)
			break;
	}
	while (own != NULL && own->kept == NULL)
		own = own->outer;
	if (own != NULL && (call == NULL || own->begin >= call->begin)) {
		open = own->kept;
		return open->life == life ? open->id : life->id;
	}
	return call != NULL ? open->id : life->id;
}

static uint64_t call_id(const struct ptl_otlp_life *life,
			const struct ptl_step *step, uint64_t begin)
{
	pid_t tid = step->view->event->posix_tid_np;
	/* Of two calls that begin at once one is in the other. */
	uint64_t place[3] = {begin, (uint64_t)tid,
			     parent_id(life, step, user_span(step))};

	return ptl_otlp_hash(life->id, place, sizeof(place));
}

static struct ptl_otlp_span span_of(const struct open_call *open,
				    uint64_t begin, uint64_t end)
{
	return (struct ptl_otlp_span){.trace = *ptl_otlp_life_trace(open->life),
				      .id = open->id,
				      .parent = open->parent,
				      .name = open->name,
				      .begin = begin,
				      .end = end > begin ? end : begin};
}

static void forget(struct open_call *open)
{
	ptl_bytes_free(&open->attributes);
	ptl_bytes_free(&open->links);
	free(open);
}

/* Of a call whose end was not seen nothing is known but that it began. */
static void leave(void *of, struct ptl_thread *thread, struct ptl_call *call,
		  struct ptl_call *outer, uint64_t at, enum ptl_call_end how)
{
	struct open_call *open = call->of[user.number];

	(void)of;
	(void)thread;
	(void)outer;
	call->of[user.number] = NULL;
	if (open == NULL)
		return;
	if (open->attributes.used > 0 && how != PTL_CALL_LEFT &&
	    at >= call->begin + (uint64_t)slowest) {
		struct ptl_otlp_span span = span_of(open, call->begin, at);

		ptl_otlp_life_add(open->life, &span, &open->attributes);
	}
	forget(open);
}

static struct open_call *new_call(struct ptl_otlp_life *life,
				  const struct ptl_step *step, uint64_t begin)
{
	struct open_call *open = ptl_alloc(sizeof(*open));

	open->life = life;
	open->name = call_name(step);
	open->parent = parent_id(life, step, user_span(step));
	open->id = call_id(life, step, begin);
	return open;
}

/* A call whose begin and end are known. */
static void put_call(struct open_call *open, const struct ptl_step *step,
		     uint64_t begin, uint64_t end)
{
	struct ptl_otlp_span span = span_of(open, begin, end);

	span.message = error_of(step);
	span.failed = span.message != NULL;
	scratch.used = 0;
	put_attributes(&scratch, step);
	ptl_otlp_life_add(open->life, &span, &scratch);
}

/* False: the event is no span, nor the begin or the end of one. */
static bool take_call(struct ptl_otlp_life *life, const struct ptl_step *step)
{
	const struct ptl_moment *moment = &step->moment;
	struct ptl_call *call = moment->call;
	uint64_t now = ptl_ns(&step->view->event->posix_timestamp);
	struct open_call *open;

	if (call == NULL || call->kind < PTL_CALL_FUNCTION)
		return false;
	if (moment->begins && !ptl_call_is_known(call)) {
		open = new_call(life, step, now);
		put_attributes(&open->attributes, step);
		call->of[user.number] = open;
		return true;
	}
	if (moment->ends || step->duration < slowest)
		return moment->ends;
	open = new_call(life, step, call->begin);
	put_call(open, step, call->begin,
		 call->begin + (uint64_t)step->duration);
	if (moment->begins)
		call->of[user.number] = open;
	else
		forget(open);
	return true;
}

/* ---- events ---------------------------------------------------------- */

/* What the program has recorded; a span's number and name are the span's. */
static void put_own(struct ptl_out *to, const struct ptl_view *view)
{
	for (unsigned int i = 0; i < view->args.nr; i++) {
		const struct ptl_arg *arg = &view->args.arg[i];

		if (ptl_words_omit(arg) ||
		    (view->type->is_system && (strcmp(arg->name, "span") == 0 ||
					       strcmp(arg->name, "type") == 0)))
			continue;
		ptl_otlp_argument(to, view->source, arg->name, arg);
	}
	put_contexts(to, view);
	if (view->args.nr == 0 && view->data_size > 0)
		ptl_otlp_data(to, "data", view->data, view->data_size);
}

/* What OpenTelemetry calls an exception. */
static void put_crash(struct ptl_out *to, const struct ptl_step *step)
{
	const char *exception = ptl_step_string(step, "exception");
	const char *message = ptl_step_string(step, "message");

	ptl_otlp_text(to, "exception.type",
		      exception != NULL && *exception != '\0' ?
			      exception :
			      ptl_step_words(step, "signo"));
	if (message != NULL && *message != '\0')
		ptl_otlp_text(to, "exception.message", message);
	ptl_otlp_text(to, "code.function.name", step->view->sym);
}

static void put_event_attributes(struct ptl_out *to,
				 const struct ptl_step *step)
{
	if (step->kind->family == PTL_FAMILY_USER) {
		ptl_otlp_int(to, "thread.id", step->view->event->posix_tid_np);
		put_own(to, step->view);
	} else if (step->kind->act == PTL_ACT_CRASH) {
		put_crash(to, step);
	} else {
		put_call_attributes(to, step);
	}
}

/* What is an event of the span of its program. */
static void add_event(struct ptl_otlp_life *life, const struct ptl_step *step)
{
	const char *name = step->kind->act == PTL_ACT_CRASH ? "exception" :
							      step->kind->name;
	struct ptl_out *to;

	if (life->nr_events >= EVENTS_MOST) {
		life->dropped++;
		return;
	}
	to = ptl_otlp_write_to(&life->events);
	ptl_out_str(to, life->nr_events++ > 0 ? ",{\"timeUnixNano\":\"" :
						"{\"timeUnixNano\":\"");
	ptl_out_uint(to, ptl_ns(&step->view->event->posix_timestamp));
	ptl_out_str(to, "\",\"name\":");
	ptl_quote_json(to, name, strlen(name));
	ptl_out_char(to, ',');
	ptl_otlp_open_list(to, "attributes");
	put_event_attributes(to, step);
	ptl_otlp_close_list(to);
	ptl_out_char(to, '}');
	ptl_otlp_written();
}

/* ---- spans of the user's own ------------------------------------------ */

static struct open_call *begin_own(struct ptl_otlp_life *life,
				   const struct ptl_step *step)
{
	struct ptl_userspan *own = step->span;
	struct open_call *open = ptl_alloc(sizeof(*open));

	open->life = life;
	open->name = own->name;
	open->parent = parent_id(life, step, own->outer);
	open->id = ptl_otlp_hash(life->id, &own->number, sizeof(own->number));
	return open;
}

static void put_own_span(struct open_call *open, const struct ptl_userspan *own,
			 const struct ptl_view *view, uint64_t end)
{
	struct ptl_otlp_span span = span_of(open, own->begin, end);
	struct ptl_out *to;

	span.links = &open->links;
	scratch.used = 0;
	to = ptl_otlp_write_to(&scratch);
	ptl_otlp_open_list(to, "attributes");
	ptl_otlp_int(to, "thread.id", own->event.posix_tid_np);
	ptl_otlp_text(to, "thread.name", own->thread->name);
	put_own(to, view);
	ptl_otlp_close_list(to);
	ptl_otlp_written();
	ptl_otlp_life_add(open->life, &span, &scratch);
}

/* In whichever program it is. */
static void keep_place(const struct ptl_model *model, uint64_t number,
		       struct ptl_otlp_life *life)
{
	struct ptl_spanplace *place =
		ptl_userspans_place(model->userspans, number);

	if (place != NULL)
		place->kept = life;
}

/* OpenTelemetry's words for it are those that OpenTracing had. */
static void take_link(const struct ptl_step *step)
{
	uint64_t number = (uint64_t)ptl_step_number(step, "to", 0);
	struct ptl_userspan *own =
		ptl_userspans_find(step->model->userspans,
				   (uint64_t)ptl_step_number(step, "span", 0));
	const struct ptl_spanplace *to =
		ptl_userspans_place(step->model->userspans, number);
	struct open_call *open = own != NULL ? own->kept : NULL;
	struct ptl_otlp_life *life = to != NULL ? to->kept : NULL;

	if (open == NULL || life == NULL)
		return;
	ptl_otlp_link(&open->links, ptl_otlp_life_trace(life),
		      ptl_otlp_hash(life->id, &number, sizeof(number)),
		      ptl_step_number(step, "kind", 0) ==
				      POSIX_TRACE_SPAN_CAUSE_NP ?
			      "child_of" :
			      "follows_from");
}

/* A span is of the program in which it began. */
static void take_own(struct ptl_otlp_life *life, const struct ptl_step *step)
{
	struct ptl_userspan *own = step->span;

	if (own->kept == NULL)
		own->kept = begin_own(life, step);
	keep_place(step->model, own->number, life);
	if (step->kind->act == PTL_ACT_SPAN_BEGIN)
		return;
	put_own_span(own->kept, own, step->view,
		     ptl_ns(&step->view->event->posix_timestamp));
	forget(own->kept);
	own->kept = NULL;
}

/* Open spans last as long as their process was seen. */
static void put_open(const struct ptl_model *model)
{
	const struct ptl_userspan *own = NULL;
	struct ptl_view view;

	while ((own = ptl_userspans_next_open(model->userspans, own)) != NULL) {
		struct open_call *open = own->kept;

		if (open == NULL)
			continue;
		ptl_userspan_begun(own, &view);
		put_own_span(open, own, &view,
			     ptl_ns(&model->first) +
				     (uint64_t)open->life->process->end);
		forget(open);
	}
}

/* ---- what the format is told ----------------------------------------- */

static bool is_called(const struct ptl_value *value, const char *name)
{
	size_t size = strlen(name);

	return value->kind == PTL_VALUE_TEXT && value->size >= size &&
	       memcmp(value->bytes, name, size) == 0;
}

static const char *value_of(const struct ptl_value *value, const char *name)
{
	size_t size = strlen(name);

	if (!is_called(value, name) || value->size == size)
		return NULL;
	return ptl_intern(value->bytes + size, value->size - size);
}

/* With --traceparent twice: what it was given, and what it has. */
static void learn_environment(struct ptl_otlp_life *life,
			      const struct ptl_step *step)
{
	const struct ptl_arg *list = ptl_decode_find(&step->view->args, "env");
	struct ptl_value_walk walk;
	struct ptl_value value;
	const char *own = NULL;
	unsigned int nr = 0;

	if (list == NULL)
		return;
	ptl_value_begin(&walk, step->view->source, list);
	while (ptl_value_next(&walk, &value)) {
		const char *parent = value_of(&value, "TRACEPARENT=");
		const char *service = value_of(&value, "OTEL_SERVICE_NAME=");

		life->service = service != NULL ? service : life->service;
		if (!is_called(&value, "TRACEPARENT=") || life->own != NULL)
			continue;
		if (nr++ == 0)
			life->traceparent = parent;
		else
			own = parent;
	}
	if (own != NULL)
		ptl_otlp_life_is(life, own);
}

/* The child is in the user's own span that the parent is in. */
static void learn_fork(const struct ptl_otlp_life *life,
		       const struct ptl_step *step)
{
	const struct ptl_process *child =
		ptl_processes_forked(step->model->processes);
	uint64_t span = parent_id(life, step, user_span(step));

	if (child != NULL && span != life->id)
		ptl_otlp_life_forked(child, step->view->source, span);
}

static struct ptl_otlp_life *learn_of(const struct ptl_step *step)
{
	struct ptl_otlp_life *life;

	if (step->process == NULL)
		return NULL;
	life = ptl_otlp_life_of(step);
	if (step->kind->act == PTL_ACT_START)
		life->exe = ptl_step_string(step, "exe");
	else if (step->kind->act == PTL_ACT_FORK)
		learn_fork(life, step);
	else if (strcmp(step->kind->name, "process:environment") == 0)
		learn_environment(life, step);
	return life;
}

static void learn(struct ptl_sink *sink, const struct ptl_step *step)
{
	(void)sink;
	learn_of(step);
}

static void put_event(struct ptl_sink *sink, const struct ptl_step *step)
{
	struct ptl_otlp_life *life = learn_of(step);

	(void)sink;
	if (life != NULL && step->span != NULL) {
		take_own(life, step);
		return;
	}
	if (step->kind->act == PTL_ACT_SPAN_LINK) {
		take_link(step);
		return;
	}
	if (life == NULL || take_call(life, step))
		return;
	if (step->kind->family == PTL_FAMILY_USER ||
	    step->kind->act == PTL_ACT_CRASH ||
	    (error_of(step) != NULL && step->kind->act != PTL_ACT_EXIT))
		add_event(life, step);
}

static void begin(struct ptl_sink *sink)
{
	ptl_otlp_lives_begin(sink->model, &sink->out,
			     sink->look->has_arguments);
	user = (struct ptl_calls_user){.wants_libc = true, .leave = leave};
	ptl_calls_add_user(sink->model->calls, &user);
	slowest = sink->look->slower;
	scratch = (struct ptl_bytes){0};
}

static void end(struct ptl_sink *sink)
{
	ptl_calls_finish(sink->model->calls);
	ptl_processes_end(sink->model->processes, sink->model->last);
	put_open(sink->model);
	ptl_otlp_lives_end();
	ptl_bytes_free(&scratch);
}

const struct ptl_format ptl_format_otlp = {
	.name = "otlp",
	.wants_processes = true,
	.takes_slower = true,
	.begin = begin,
	.event = put_event,
	.learn = learn,
	.end = end,
};
