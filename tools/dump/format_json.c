/* SPDX-License-Identifier: MIT */
/*
 * JSON Lines: one object an event, or a log with --info; always valid JSON
 * whatever the bytes.
 * Times and addresses are strings since they do not fit into a double.
 */
#include <string.h>

#include "tools/dump/parts/info.h"
#include "tools/dump/parts/json.h"
#include "tools/dump/parts/kept.h"
#include "tools/dump/parts/look.h"
#include "tools/dump/parts/sink.h"
#include "tools/lib/clock.h"
#include "tools/lib/quote.h"
#include "tools/model/modules.h"

static uint64_t begun; /* the time of the logs' first event, ns */

static const char *truncation_name(const struct ptl_view *view)
{
	if (view->event->posix_truncation_status == POSIX_TRACE_TRUNCATED_READ)
		return "read";
	return ptl_view_is_cut(view) ? "record" : "none";
}

static void begin(struct ptl_sink *sink)
{
	const struct ptl_source *source = sink->merge->current;

	if (source != NULL)
		begun = ptl_ns(&source->event.posix_timestamp);
}

static void put_text(struct ptl_out *out, const char *key, const char *text)
{
	if (text == NULL)
		return;
	ptl_out_str(out, key);
	ptl_quote_json(out, text, strlen(text));
}

static void make_who(struct ptl_out *out,
		     const struct posix_trace_event_info *event,
		     const struct ptl_kept_key *key)
{
	ptl_out_str(out, ",\"pid\":");
	ptl_out_int(out, event->posix_pid);
	ptl_out_str(out, ",\"tid\":");
	ptl_out_int(out, event->posix_tid_np);
	put_text(out, ",\"host\":", key->where);
	put_text(out, ",\"program\":", key->what);
	if (key->other >> 32 != 0) {
		ptl_out_str(out, ",\"rank\":");
		ptl_out_uint(out, (key->other >> 32) - 1);
	}
	if (event->posix_pidns_np != 0) {
		ptl_out_str(out, ",\"pidns\":");
		ptl_out_uint(out, event->posix_pidns_np);
	}
	ptl_out_str(out, ",\"id\":");
}

static void put_who(struct ptl_out *out, const struct ptl_view *view)
{
	static struct ptl_kept lately[PTL_KEPT];
	struct ptl_kept_key key = ptl_kept_who(view);
	struct ptl_kept *kept = ptl_kept_put(lately, &key, out);

	if (kept == NULL)
		return;
	make_who(out, view->event, &key);
	ptl_kept_end(kept, out);
}

/* Of a type: the number and the name. */
static void put_type_of(struct ptl_out *out, const struct ptl_view *view)
{
	static struct ptl_kept lately[PTL_KEPT];
	struct ptl_kept_key key = {
		.what = view->type,
		.where = view->type->kind,
		.number = view->type->id,
	};
	struct ptl_kept *kept = ptl_kept_put(lately, &key, out);

	if (kept == NULL)
		return;
	ptl_out_uint(out, view->type->id);
	ptl_out_str(out, ",\"name\":");
	ptl_quote_json(out, view->type->name, view->type->name_size);
	ptl_kept_end(kept, out);
}

static void put_time(struct ptl_out *out, const struct timespec *time)
{
	ptl_out_str(out, "{\"ts\":\"");
	ptl_out_time(out, time);
	ptl_out_str(out, "\",\"t\":");
	ptl_out_int(out, (int64_t)(ptl_ns(time) - begun));
}

static void make_place(struct ptl_out *out, const struct ptl_view *view)
{
	const struct ptl_srcline *line;
	size_t nr;

	ptl_out_str(out, ",\"addr\":\"");
	ptl_out_hex(out, (uintptr_t)view->event->posix_prog_address);
	ptl_out_char(out, '"');
	put_text(out, ",\"sym\":", view->sym);
	if (view->file == NULL)
		return;
	put_text(out, ",\"module\":", ptl_symfile_module(view->file));
	nr = ptl_view_lines(view, &line);
	put_text(out, ",\"src\":", line->name);
	if (nr == 1)
		return;
	ptl_out_str(out, ",\"inlined\":");
	ptl_json_inlined(out, line, nr);
}

/* Where. */
static void put_place(struct ptl_out *out, const struct ptl_view *view)
{
	static struct ptl_kept lately[PTL_KEPT];
	struct ptl_kept_key key = ptl_kept_where(view);
	struct ptl_kept *kept = ptl_kept_put(lately, &key, out);

	if (kept == NULL)
		return;
	make_place(out, view);
	ptl_kept_end(kept, out);
}

/* Data that nobody declared fields for, as far as they look like text. */
static void put_untyped(struct ptl_out *out, const struct ptl_view *view)
{
	size_t size = view->data_size;

	if (size > 1 && view->data[size - 1] == '\0')
		size--;
	if (size == 0 || !ptl_quote_is_text(view->data, size))
		return;
	ptl_out_str(out, ",\"text\":");
	ptl_quote_json(out, view->data, size);
}

/* What. */
static void put_contents(struct ptl_out *out, const struct ptl_view *view,
			 const struct ptl_look *look)
{
	bool is_raw = look->is_raw;
	bool has_args =
		view->type->layout.nr_fields > 0 || view->type->is_system;

	if (is_raw || !has_args) {
		ptl_out_str(out, ",\"data\":\"");
		ptl_out_hexdump(out, view->data, view->data_size);
		ptl_out_char(out, '"');
	}
	if (has_args && look->is_flat) {
		ptl_json_flat(out, view);
	} else if (has_args) {
		ptl_out_str(out, ",\"args\":");
		ptl_json_args(out, view);
	} else {
		put_untyped(out, view);
	}
	if (view->context != NULL)
		ptl_json_context(out, ",\"context\":", view);
	if (view->source->nr_stack > 0) {
		ptl_out_str(out, ",\"stack\":");
		ptl_json_stack(out, view);
		ptl_json_stack_lines(out, view);
	}
}

static void put_event(struct ptl_sink *sink, const struct ptl_step *step)
{
	const struct ptl_view *view = step->view;
	const struct posix_trace_event_info *event = view->event;
	struct ptl_out *out = &sink->out;

	put_time(out, &event->posix_timestamp);
	put_who(out, view);
	put_type_of(out, view);
	put_place(out, view);
	ptl_out_str(out, ",\"trunc\":\"");
	ptl_out_str(out, truncation_name(view));
	ptl_out_str(out, "\",\"len\":");
	ptl_out_uint(out, view->data_size);
	if (view->duration >= 0) {
		ptl_out_str(out, ",\"dur\":");
		ptl_out_int(out, view->duration);
	}
	if (view->outcome != PTL_OUTCOME_NONE)
		ptl_out_str(out, view->outcome == PTL_OUTCOME_FAILED ?
					 ",\"failed\":true" :
					 ",\"failed\":false");
	put_contents(out, view, sink->look);
	ptl_out_str(out, "}\n");
}

/* As its begin, with how long it was open by the last event. */
static void put_open(struct ptl_sink *sink, const struct ptl_userspan *span)
{
	struct ptl_type type = *span->type;
	struct ptl_view view;

	ptl_userspan_begun(span, &view);
	view.duration = ptl_model_open_for(sink->model, span);
	strcpy(type.name, "span:open");
	type.name_size = strlen(type.name);
	view.type = &type;
	put_event(sink, &(struct ptl_step){.view = &view});
}

/* Spans that were shown and have no end. */
static void end(struct ptl_sink *sink)
{
	const struct ptl_userspan *span = NULL;

	while (!sink->model->is_partial &&
	       (span = ptl_userspans_next_open(sink->model->userspans, span)) !=
		       NULL)
		if (span->is_shown)
			put_open(sink, span);
}

static void put_lines(struct ptl_out *out, const char *lines)
{
	const char *line, *first = lines;
	size_t size;

	ptl_out_char(out, '[');
	while (ptl_info_line(&lines, &line, &size)) {
		if (line != first)
			ptl_out_char(out, ',');
		ptl_quote_json(out, line, size);
	}
	ptl_out_char(out, ']');
}

static void put_member(struct ptl_out *out, const struct ptl_info_field *field)
{
	ptl_quote_json(out, field->key, strlen(field->key));
	ptl_out_char(out, ':');
	switch (field->kind) {
	case PTL_INFO_ABSENT:
		ptl_out_str(out, "null");
		break;
	case PTL_INFO_NUMBER:
		ptl_out_uint(out, field->number);
		break;
	case PTL_INFO_TEXT:
		ptl_quote_json(out, field->text, strlen(field->text));
		break;
	case PTL_INFO_TIME:
		ptl_out_char(out, '"');
		ptl_out_time(out, &field->time);
		ptl_out_char(out, '"');
		break;
	case PTL_INFO_LINES:
		put_lines(out, field->text);
		break;
	}
	/* The event types follow, so there is always one more. */
	ptl_out_char(out, ',');
}

static void put_type(struct ptl_out *out, const struct ptl_info_type *type)
{
	ptl_out_str(out, "{\"id\":");
	ptl_out_uint(out, type->id);
	ptl_out_str(out, ",\"name\":");
	ptl_quote_json(out, type->name, strlen(type->name));
	ptl_out_str(out, ",\"fields\":");
	if (type->fields[0] != '\0')
		ptl_quote_json(out, type->fields, strlen(type->fields));
	else
		ptl_out_str(out, "null");
	ptl_out_char(out, '}');
}

static void put_types(struct ptl_out *out, struct ptl_source *source)
{
	struct ptl_info_type type;

	ptl_out_str(out, "\"event-types\":[");
	ptl_info_rewind_types(source);
	for (bool is_first = true; ptl_info_next_type(source, &type);
	     is_first = false) {
		if (!is_first)
			ptl_out_char(out, ',');
		put_type(out, &type);
	}
	ptl_out_char(out, ']');
}

static void put_info(struct ptl_sink *sink)
{
	struct ptl_out *out = &sink->out;

	for (size_t i = 0; i < sink->merge->nr_sources; i++) {
		struct ptl_source *source = &sink->merge->source[i];

		ptl_out_char(out, '{');
		ptl_info_fields(source, put_member, out);
		put_types(out, source);
		ptl_out_str(out, "}\n");
	}
}

const struct ptl_format ptl_format_json = {
	.name = "json",
	.wants_processes = true,
	.begin = begin,
	.event = put_event,
	.end = end,
	.info = put_info,
};
