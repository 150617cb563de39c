/* SPDX-License-Identifier: MIT */
/* An event ready to be shown; see view.h. */
#include "tools/read/view.h"

#include <string.h>

#include "tools/read/calls.h"
#include "tools/read/signals.h"

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
	if (view->type->kind != PTL_KIND_START ||
	    view->event->posix_pidns_np == 0)
		return;
	put_int(&view->args, "pidns", view->event->posix_pidns_np);
	put_int(&view->args, "nspid", view->event->posix_pid);
}

/* Of a function, of the call of libc that the event is about, or -1.  A lock
 * that was free is not timed, since it was not waited for. */
static int64_t duration_of(const struct ptl_source *source,
			   const struct ptl_args *args, int64_t function)
{
	const struct ptl_arg *contended, *took;

	if (function >= 0 || source->duration >= 0)
		return function >= 0 ? function : source->duration;
	took = ptl_decode_find(args, "duration");
	if (took != NULL)
		return took->value;
	contended = ptl_decode_find(args, "contended");
	return contended != NULL && contended->value == 0 ? 0 : -1;
}

/* What is learned from events that are not shown, too.  Returns how long the
 * call took that this ends, or -1. */
static int64_t learn(const struct ptl_view *view, struct ptl_filter *filter)
{
	struct ptl_source *source = view->source;
	enum ptl_kind kind = view->type->kind;

	if (view->args.nr > 0)
		ptl_modules_learn(source->modules, kind, view->event,
				  &view->args);
	if (kind == PTL_KIND_FORK)
		ptl_filter_learn(filter, view->event, &view->args);
	return ptl_calls_learn(source->calls, kind, view->event, &view->args,
			       source->duration);
}

/* Is the event, by its type, shown as a part of another one that is wanted? */
static bool is_half(const struct ptl_filter *filter,
		    const struct ptl_type *type)
{
	if (!filter->joins_calls)
		return false;
	if (type->kind == PTL_KIND_CALL_ENTER)
		return ptl_filter_wants_name(filter, "call:exit");
	return type->kind == PTL_KIND_CALL_EXIT &&
	       ptl_filter_wants_name(filter, "call:enter");
}

/* A thread begins at its function, and not behind a call. */
static bool is_entry(const struct ptl_view *view, bool is_innermost)
{
	return is_innermost && view->type->kind == PTL_KIND_THREAD_START;
}

static const char *name_of(const struct ptl_view *view, bool is_innermost,
			   struct ptl_symfile *file, uint64_t offset)
{
	if (file == NULL)
		return NULL;
	return is_entry(view, is_innermost) ?
		       ptl_symfile_entry(file, offset - 1) :
		       ptl_symfile_name(file, offset);
}

/* Where the address of a frame is, of its own place as the innermost. */
static struct ptl_symfile *file_of(const struct ptl_view *view,
				   uint64_t address, bool is_innermost,
				   uint64_t *offset)
{
	return ptl_modules_file(view->source->modules, view->event,
				address + is_entry(view, is_innermost), offset);
}

/* Names of numbers and addresses, and what else is not in the data. */
static void describe(struct ptl_view *view, int64_t duration)
{
	struct ptl_modules *modules = view->source->modules;
	uint64_t address = (uintptr_t)view->event->posix_prog_address;

	view->duration =
		view->type->is_system ?
			duration_of(view->source, &view->args, duration) :
			-1;
	ptl_calls_describe(modules, view->type->kind, view->event, duration,
			   &view->args);
	ptl_signals_describe(modules, view->type, view->event, &view->args);
	describe_start(view);
	view->offset = address;
	view->file = file_of(view, address, true, &view->offset);
	view->sym = name_of(view, true, view->file, view->offset);
}

struct ptl_view_frame ptl_view_frame(const struct ptl_view *view, size_t i)
{
	struct ptl_view_frame frame = {
		.address = (uintptr_t)view->source->stack[i]};

	frame.file = file_of(view, frame.address, i == 0, &frame.line);
	frame.offset = frame.line - is_entry(view, i == 0);
	frame.name = name_of(view, i == 0, frame.file, frame.line);
	return frame;
}

static bool is_wanted(const struct ptl_view *view,
		      const struct ptl_filter *filter)
{
	struct ptl_where_event event;

	if (filter->where == NULL)
		return true;
	event = (struct ptl_where_event){
		.type = view->type,
		.event = view->event,
		.args = &view->args,
		.host = view->source->host_name,
		.sym = view->sym,
		.duration = view->duration,
		.program =
			ptl_modules_program(view->source->modules, view->event),
	};
	return ptl_filter_wants_contents(filter, &event);
}

bool ptl_view_event(struct ptl_view *view, struct ptl_source *source,
		    struct ptl_filter *filter)
{
	const struct posix_trace_event_info *event = &source->event;
	struct ptl_type *type = ptl_source_type(source, event->posix_event_id);
	int64_t duration;

	view->source = source;
	view->event = event;
	view->type = type;
	view->data = source->data;
	view->data_size = source->data_size;
	ptl_decode(&type->layout, source->data, source->data_size, &view->args);
	/* Those of ours may have got fields since they were recorded. */
	view->is_short =
		!type->is_system && view->args.nr < type->layout.nr_fields;
	duration = learn(view, filter);
	view->is_doubtful = !ptl_filter_wants_type(filter, type);
	if (!ptl_filter_wants(filter, event) ||
	    (view->is_doubtful && !is_half(filter, type)))
		return false;
	describe(view, duration);
	if (!view->is_doubtful && !is_wanted(view, filter))
		view->is_doubtful = true;
	return !view->is_doubtful || is_half(filter, type);
}

trace_event_id_t ptl_view_next_in_set(struct ptl_source *source,
				      const struct ptl_arg *set,
				      trace_event_id_t id)
{
	trace_event_set_t copy; /* the data need not be aligned */
	char name[TRACE_EVENT_NAME_MAX + 1];
	int is_member;

	memset(&copy, 0, sizeof(copy));
	memcpy(&copy, set->bytes, set->size);
	for (id++; id < _PTL_EVENT_ID_LIMIT; id++)
		if (posix_trace_eventset_ismember(id, &copy, &is_member) == 0 &&
		    is_member &&
		    posix_trace_eventid_get_name(source->trid, id, name) == 0)
			return id;
	return 0;
}
