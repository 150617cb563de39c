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
	if (view->type->kind->act != PTL_ACT_START ||
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
	enum ptl_act act = view->type->kind->act;

	if (view->args.nr > 0)
		ptl_modules_learn(source->modules, act, view->event,
				  &view->args);
	if (act == PTL_ACT_FORK)
		ptl_filter_learn(filter, view->event, &view->args);
	return ptl_calls_learn(source->calls, act, view->event, &view->args,
			       source->duration);
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
static void describe(struct ptl_view *view, int64_t duration)
{
	struct ptl_modules *modules = view->source->modules;
	struct ptl_view_frame place;

	view->duration =
		view->type->is_system ?
			duration_of(view->source, &view->args, duration) :
			-1;
	ptl_calls_describe(modules, view->type->kind->act, view->event,
			   duration, &view->args);
	ptl_signals_describe(modules, view->type, view->event, &view->args);
	describe_start(view);
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
