/* SPDX-License-Identifier: MIT */
/* An event ready to be shown; see view.h. */
#include "tools/model/view.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/hash.h"
#include "tools/model/modules.h"
#include "tools/read/signals.h"
#include "tools/symbolize/demangle.h"

static void put_int(struct ptl_args *args, const char *name, int64_t value)
{
	if (args->nr < PTL_ARGS)
		args->arg[args->nr++] = (struct ptl_arg){
			.name = name, .type = PTL_ARG_INT, .value = value};
}

/* If the process is in another pid namespace: the namespace, and the number of
 * the process there. */
static void describe_start(struct ptl_view *view)
{
	if (view->type->kind->act != PTL_ACT_START ||
	    view->event->posix_pidns_np == 0)
		return;
	put_int(&view->args, "pidns", view->event->posix_pidns_np);
	put_int(&view->args, "nspid", view->event->posix_pid);
}

static void insert_word(struct ptl_args *args, unsigned int at,
			const char *name, const char *word)
{
	if (word == NULL)
		return;
	ptl_decode_insert(args, at,
			  (struct ptl_named_word){name, word, strlen(word),
						  (unsigned char)strlen(name)},
			  (struct ptl_named_word){0});
}

static void insert_callee(struct ptl_args *args, unsigned int at,
			  const struct ptl_callee *callee)
{
	ptl_decode_insert(args, at,
			  PTL_NAMED_WORD("function", callee->function,
					 callee->function_size),
			  PTL_NAMED_WORD("library", callee->library,
					 callee->library_size));
}

/* Without it nothing can be said of arguments and results. */
static void set_code(struct ptl_args *args, const char *code)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < args->nr; i++) {
		struct ptl_arg *arg = &args->arg[i];
		bool is_void = arg->type == PTL_ARG_RESULT && code != NULL &&
			       *code == 'v';

		arg->code = code;
		if ((arg->type == PTL_ARG_ARGUMENTS ||
		     arg->type == PTL_ARG_RESULT) &&
		    (code == NULL || is_void))
			continue;
		if (nr != i)
			args->arg[nr] = *arg;
		nr++;
	}
	args->nr = nr;
}

/* Of a call:enter or call:exit: function and library in front, duration behind.
 */
static void describe_call(struct ptl_view *view)
{
	enum ptl_act act = view->type->kind->act;
	struct ptl_args *args = &view->args;
	const struct ptl_arg *callee;
	struct ptl_callee known;

	if (!ptl_act_enters(act) && act != PTL_ACT_LEAVE &&
	    act != PTL_ACT_SUMMARY)
		return;
	callee = ptl_kind_arg(view->type->kind, PTL_FIELD_CALLEE, args);
	if (callee == NULL)
		return;
	known = ptl_modules_function(view->source->modules, view->event,
				     (uint64_t)callee->value);
	set_code(args, known.code);
	insert_callee(args, 0, &known);
	if (act == PTL_ACT_LEAVE && view->duration >= 0)
		put_int(args, "duration", view->duration);
}

/* Of an event of the family signal: the signal's name, and of its handler
 * function and library. */
static void describe_signal(struct ptl_view *view)
{
	struct ptl_args *args = &view->args;
	struct ptl_callee handler;

	if (view->type->kind->family != PTL_FAMILY_SIGNAL ||
	    view->type->kind->is_call)
		return;
	for (unsigned int i = 0; i < args->nr; i++) {
		const struct ptl_arg *arg = &args->arg[i];

		if (strcmp(arg->name, "signo") == 0) {
			insert_word(args, i + 1, "signame",
				    ptl_signals_name(arg->value));
		} else if (strcmp(arg->name, "handler") == 0) {
			handler = ptl_modules_function(view->source->modules,
						       view->event,
						       (uint64_t)arg->value);
			insert_callee(args, i + 1, &handler);
		}
	}
}

static void drop(struct ptl_args *args, const char *name, bool is_empty)
{
	for (unsigned int i = 0; is_empty && i < args->nr; i++)
		if (strcmp(args->arg[i].name, name) == 0) {
			args->nr--;
			memmove(&args->arg[i], &args->arg[i + 1],
				(args->nr - i) * sizeof(*args->arg));
			return;
		}
}

/* The name of a type, which is that of its information without "_ZTI". */
static void demangle_type(struct ptl_arg *arg)
{
	static const char before[] = "typeinfo for ";
	char mangled[512];
	const char *plain;

	snprintf(mangled, sizeof(mangled), "_ZTI%.*s",
		 (int)(arg->size < 500 ? arg->size : 500), arg->bytes);
	plain = ptl_demangle(mangled);
	if (strncmp(plain, before, sizeof(before) - 1) == 0) {
		arg->bytes = ptl_intern(plain + sizeof(before) - 1,
					strlen(plain) - (sizeof(before) - 1));
		arg->size = strlen(arg->bytes);
	}
	if (plain != mangled)
		free((char *)(uintptr_t)plain);
}

/* Of a crash: the code's name; what does not apply is left out. */
static void describe_crash(struct ptl_view *view)
{
	struct ptl_args *args = &view->args;
	const struct ptl_arg *signo;
	struct ptl_arg *text;
	int64_t code;

	if (view->type->kind->act != PTL_ACT_CRASH)
		return;
	signo = ptl_decode_find(args, "signo");
	for (unsigned int i = 0; i < args->nr; i++) {
		if (strcmp(args->arg[i].name, "code") != 0)
			continue;
		code = args->arg[i].value;
		insert_word(args, i + 1, "codename",
			    signo != NULL ?
				    ptl_signals_code(signo->value, code) :
				    NULL);
		drop(args, "fault", code <= 0 || code == SI_KERNEL);
		drop(args, "pid", code > 0);
		break;
	}
	text = (struct ptl_arg *)(uintptr_t)ptl_decode_find(args, "message");
	drop(args, "message", text != NULL && text->size == 0);
	text = (struct ptl_arg *)(uintptr_t)ptl_decode_find(args, "exception");
	if (text != NULL && text->size > 0)
		demangle_type(text);
	drop(args, "exception", text != NULL && text->size == 0);
}

/* Of the call of libc that the event is about, or -1.  A lock that was free is
 * not timed, since it was not waited for. */
static int64_t duration_of(const struct ptl_source *source,
			   const struct ptl_kind *kind,
			   const struct ptl_args *args)
{
	const struct ptl_arg *contended, *took;

	if (source->duration >= 0)
		return source->duration;
	took = ptl_kind_arg(kind, PTL_FIELD_DURATION, args);
	if (took != NULL)
		return took->value;
	contended = ptl_kind_arg(kind, PTL_FIELD_CONTENDED, args);
	return contended != NULL && contended->value == 0 ? 0 : -1;
}

/* Is the event, by its type, shown as a part of another one that is wanted? */
static bool is_half(const struct ptl_filter *filter,
		    const struct ptl_type *type)
{
	if (!filter->joins_calls)
		return false;
	if (type->kind->act == PTL_ACT_ENTER)
		return ptl_filter_wants_name(filter, "call:exit");
	return type->kind->act == PTL_ACT_LEAVE &&
	       ptl_filter_wants_name(filter, "call:enter");
}

/* Of the event's own place, which is the innermost frame, or of another one.  A
 * thread begins at its function, and not behind a call. */
static struct ptl_view_frame frame_at(const struct ptl_view *view,
				      uint64_t address, bool is_innermost)
{
	struct ptl_view_frame frame = {.address = address, .offset = address};

	frame.is_entry =
		is_innermost && view->type->kind->act == PTL_ACT_THREAD_START;
	frame.file = ptl_modules_file(view->source->modules, view->event,
				      address + frame.is_entry, &frame.offset);
	return frame;
}

/* Names of numbers and addresses, and what else is not in the data. */
static void describe(struct ptl_view *view)
{
	struct ptl_view_frame place;

	if (view->type->kind->is_described) {
		describe_call(view);
		describe_signal(view);
		describe_crash(view);
		describe_start(view);
	}
	place = frame_at(view, (uintptr_t)view->event->posix_prog_address,
			 true);
	view->file = place.file;
	view->offset = place.offset;
	view->sym = ptl_view_frame_name(&place);
}

struct ptl_view_frame ptl_view_frame(const struct ptl_view *view, size_t i)
{
	return frame_at(view, (uintptr_t)view->source->stack[i], i == 0);
}

const char *ptl_view_frame_name(const struct ptl_view_frame *frame)
{
	if (frame->file == NULL)
		return NULL;
	return frame->is_entry ?
		       ptl_symfile_entry(frame->file, frame->offset - 1) :
		       ptl_symfile_name(frame->file, frame->offset);
}

size_t ptl_view_frame_lines(const struct ptl_view_frame *frame,
			    const struct ptl_srcline **line)
{
	size_t nr = ptl_symfile_lines(frame->file, frame->offset, line);

	if (!frame->is_entry)
		return nr;
	*line += nr - 1;
	return 1;
}

size_t ptl_view_lines(const struct ptl_view *view,
		      const struct ptl_srcline **line)
{
	struct ptl_view_frame place = {
		.file = view->file,
		.offset = view->offset,
		.is_entry = view->type->kind->act == PTL_ACT_THREAD_START,
	};

	return ptl_view_frame_lines(&place, line);
}

/* A null at its end is no part of it. */
static void ask_text(const struct ptl_view *view, struct ptl_where_event *event)
{
	size_t size = view->data_size;

	if (view->type->is_system || view->type->layout.nr_fields > 0 ||
	    size == 0)
		return;
	event->text = view->data;
	event->text_size = size - (view->data[size - 1] == '\0');
}

void ptl_view_ask(const struct ptl_view *view, struct ptl_where_event *event)
{
	*event = (struct ptl_where_event){
		.type = view->type,
		.event = view->event,
		.args = &view->args,
		.context = view->context,
		.tags = view->tags,
		.host = view->source->host_name,
		.sym = view->sym,
		.duration = view->duration,
		.program = view->program,
		.rank = view->rank,
		.outcome = view->outcome,
	};
	ask_text(view, event);
}

static bool is_wanted(const struct ptl_view *view,
		      const struct ptl_filter *filter)
{
	struct ptl_where_event event;

	if (filter->where == NULL)
		return true;
	ptl_view_ask(view, &event);
	return ptl_filter_wants_contents(filter, &event);
}

void ptl_view_span(struct ptl_view *view)
{
	struct ptl_args *args = &view->args, own = {0};
	struct ptl_arg *data = &args->arg[2];
	const struct ptl_type *type = view->type;

	ptl_decode(&type->layout, view->data, view->data_size, args);
	/* A log may say of its types what it likes. */
	if (args->nr < 2 || args->arg[1].type != PTL_ARG_INT)
		return;
	type = ptl_source_type(view->source,
			       (trace_event_id_t)args->arg[1].value);
	args->arg[1].type = PTL_ARG_WORD;
	args->arg[1].bytes = type->name;
	args->arg[1].size = type->name_size;
	if (args->nr < 3 || data->type != PTL_ARG_STRING)
		return;
	/* Data of the program's own, and not as much as was asked for. */
	data->is_data = false;
	if (!type->is_system)
		ptl_decode(&type->layout, data->bytes, data->size, &own);
	if (own.nr == 0 || ptl_decode_find(&own, "span") != NULL ||
	    ptl_decode_find(&own, "type") != NULL) {
		args->nr -= data->size == 0;
		return;
	}
	view->is_short = own.nr < type->layout.nr_fields;
	args->nr = 2;
	for (unsigned int i = 0; i < own.nr && args->nr < PTL_ARGS; i++)
		args->arg[args->nr++] = own.arg[i];
}

void ptl_view_decode(struct ptl_view *view, struct ptl_source *source)
{
	const struct posix_trace_event_info *event = &source->event;
	const struct ptl_type *type = source->type;

	view->source = source;
	view->program = NULL;
	view->rank = -1;
	view->tags = NULL;
	view->event = event;
	view->type = type;
	view->data = source->data;
	view->data_size = source->data_size;
	ptl_decode(&type->layout, source->data, source->data_size, &view->args);
	/* Types of ours may have got fields since they were recorded; and a
	 * context ends without them. */
	view->is_short = !type->is_system &&
			 view->args.nr < type->layout.nr_fields &&
			 !(type->layout.has_context && view->data_size == 0);
	view->context = NULL;
	if (type->kind->act == PTL_ACT_SPAN_BEGIN)
		ptl_view_span(view);
	view->outcome = ptl_kind_outcome(type->kind, &view->args);
	view->duration = type->is_system ?
				 duration_of(source, type->kind, &view->args) :
				 -1;
}

const struct ptl_arg *ptl_view_context(const struct ptl_view *view,
				       unsigned int *at)
{
	while (view->context != NULL && *at < view->context->nr) {
		const struct ptl_arg *arg = &view->context->arg[(*at)++];

		if (ptl_decode_find(&view->args, arg->name) == NULL)
			return arg;
	}
	return NULL;
}

/* A string, as a path that was too long; of what was read or written as much is
 * there as was asked for. */
static bool has_cut_string(const struct ptl_view *view)
{
	for (unsigned int i = 0; i < view->args.nr; i++)
		if (view->args.arg[i].is_cut && !view->args.arg[i].is_data)
			return true;
	return false;
}

bool ptl_view_is_cut(const struct ptl_view *view)
{
	return view->event->posix_truncation_status !=
		       POSIX_TRACE_NOT_TRUNCATED ||
	       view->is_short || has_cut_string(view);
}

bool ptl_view_describe(struct ptl_view *view, const struct ptl_filter *filter)
{
	struct ptl_type *type = view->source->type;

	view->is_doubtful = !ptl_filter_wants_type(filter, type);
	if (!ptl_filter_wants(filter, view->event) ||
	    (view->is_doubtful && !is_half(filter, type)))
		return false;
	describe(view);
	if (!view->is_doubtful && !is_wanted(view, filter))
		view->is_doubtful = true;
	return !view->is_doubtful || is_half(filter, type);
}
