/* SPDX-License-Identifier: MIT */
/*
 * JSON Lines: one object an event, or a log with --info; always valid JSON
 * whatever the bytes.
 * Times and addresses are strings since they do not fit into a double.
 */
#include <string.h>

#include "tools/dump/info.h"
#include "tools/read/modules.h"
#include "tools/dump/sink.h"
#include "tools/read/view.h"
#include "tools/lib/quote.h"
#include "tools/lib/typed.h"
#include "tools/lib/words.h"

static const char *truncation_name(int status, bool is_short)
{
	if (status == POSIX_TRACE_NOT_TRUNCATED && is_short)
		return "record";
	switch (status) {
	case POSIX_TRACE_TRUNCATED_RECORD:
		return "record";
	case POSIX_TRACE_TRUNCATED_READ:
		return "read";
	default:
		return "none";
	}
}

static void put_strings(struct ptl_out *out, const struct ptl_arg *arg)
{
	struct ptl_arg string = {0};
	size_t at = 0;

	ptl_out_char(out, '[');
	for (bool is_first = true; ptl_decode_next(arg, &at, &string);
	     is_first = false) {
		if (!is_first)
			ptl_out_char(out, ',');
		ptl_quote_json(out, string.bytes, string.size);
	}
	ptl_out_char(out, ']');
}

static void put_set(struct ptl_out *out, struct ptl_source *source,
		    const struct ptl_arg *arg)
{
	trace_event_id_t id = 0;
	bool is_first = true;

	ptl_out_char(out, '[');
	while ((id = ptl_view_next_in_set(source, arg, id)) != 0) {
		const struct ptl_type *type = ptl_source_type(source, id);

		if (!is_first)
			ptl_out_char(out, ',');
		ptl_quote_json(out, type->name, type->name_size);
		is_first = false;
	}
	ptl_out_char(out, ']');
}

/* JSON has no infinity, nor what is not a number: these are strings. */
static void put_float(struct ptl_out *out, const struct ptl_typed_value *value)
{
	char buf[PTL_TYPED_TEXT];

	ptl_typed_text(value, buf);
	if (ptl_typed_is_finite(value))
		ptl_out_str(out, buf);
	else
		ptl_quote_json(out, buf, strlen(buf));
}

static void put_typed(struct ptl_out *out, const struct ptl_typed_value *value)
{
	switch (value->kind) {
	case PTL_TYPED_INT:
		ptl_out_int(out, (int64_t)value->value);
		break;
	case PTL_TYPED_UINT:
		ptl_out_uint(out, value->value);
		break;
	case PTL_TYPED_FLOAT:
		put_float(out, value);
		break;
	case PTL_TYPED_STRING:
		ptl_quote_json(out, value->bytes, value->size);
		break;
	case PTL_TYPED_ADDRESS:
		ptl_out_char(out, '"');
		ptl_out_hex(out, value->value);
		ptl_out_char(out, '"');
		break;
	case PTL_TYPED_MORE:
		ptl_out_str(out, "null");
		break;
	}
}

static void put_call(struct ptl_out *out, const struct ptl_arg *arg)
{
	struct ptl_typed_walk walk;
	struct ptl_typed_value value;
	bool is_first = true;

	ptl_typed_arguments(&walk, arg->code, arg->bytes, arg->size);
	ptl_out_char(out, '[');
	while (ptl_typed_next(&walk, &value) && value.kind != PTL_TYPED_MORE) {
		if (!is_first)
			ptl_out_char(out, ',');
		put_typed(out, &value);
		is_first = false;
	}
	ptl_out_char(out, ']');
}

static void put_result(struct ptl_out *out, const struct ptl_arg *arg)
{
	struct ptl_typed_walk walk;
	struct ptl_typed_value value;

	ptl_typed_result(&walk, arg->code, arg->bytes, arg->size);
	if (!ptl_typed_next(&walk, &value))
		value.kind = PTL_TYPED_MORE;
	put_typed(out, &value);
}

static void put_value(struct ptl_out *out, struct ptl_source *source,
		      const struct ptl_arg *arg)
{
	char buf[PTL_WORDS_MAX];

	if (ptl_words_is_bool(arg)) {
		ptl_out_str(out, arg->value ? "true" : "false");
		return;
	}
	if (arg->words != NULL) {
		ptl_quote_json(out, buf, ptl_words_text(arg, buf));
		return;
	}
	switch (arg->type) {
	case PTL_ARG_INT:
	case PTL_ARG_C_INT:
		ptl_out_int(out, arg->value);
		break;
	case PTL_ARG_HEX:
		ptl_out_char(out, '"');
		ptl_out_hex(out, (uint64_t)arg->value);
		ptl_out_char(out, '"');
		break;
	case PTL_ARG_STRING:
	case PTL_ARG_WORD:
		ptl_quote_json(out, arg->bytes, arg->size);
		break;
	case PTL_ARG_STRINGS:
		put_strings(out, arg);
		break;
	case PTL_ARG_BYTES:
		ptl_out_char(out, '"');
		ptl_out_hexdump(out, arg->bytes, arg->size);
		ptl_out_char(out, '"');
		break;
	case PTL_ARG_EVENTSET:
		put_set(out, source, arg);
		break;
	case PTL_ARG_FLOAT:
		put_float(out, &(struct ptl_typed_value){
				       .letter = 'd',
				       .number = ptl_typed_double(arg->value)});
		break;
	case PTL_ARG_SIZED: /* is ARGUMENTS when it is decoded */
	case PTL_ARG_ARGUMENTS:
		put_call(out, arg);
		break;
	case PTL_ARG_RESULT:
		put_result(out, arg);
		break;
	}
}

static void put_args(struct ptl_out *out, const struct ptl_view *view)
{
	bool is_first = true;

	ptl_out_str(out, ",\"args\":{");
	for (unsigned int i = 0; i < view->args.nr; i++) {
		if (ptl_words_omit(&view->args.arg[i]))
			continue;
		if (!is_first)
			ptl_out_char(out, ',');
		is_first = false;
		ptl_quote_json(out, view->args.arg[i].name,
			       strlen(view->args.arg[i].name));
		ptl_out_char(out, ':');
		put_value(out, view->source, &view->args.arg[i]);
	}
	ptl_out_char(out, '}');
}

/* Names where they are known, or addresses. */
static void put_stack(struct ptl_out *out, const struct ptl_view *view)
{
	const struct ptl_source *source = view->source;

	ptl_out_str(out, ",\"stack\":[");
	for (size_t i = 0; i < source->nr_stack; i++) {
		uint64_t addr = (uintptr_t)source->stack[i];
		const char *sym =
			ptl_modules_name(source->modules, view->event, addr);

		if (i > 0)
			ptl_out_char(out, ',');
		if (sym != NULL) {
			ptl_quote_json(out, sym, strlen(sym));
		} else {
			ptl_out_char(out, '"');
			ptl_out_hex(out, addr);
			ptl_out_char(out, '"');
		}
	}
	ptl_out_char(out, ']');
}

static void put_event(struct ptl_sink *sink, const struct ptl_view *view)
{
	const struct posix_trace_event_info *event = view->event;
	struct ptl_out *out = &sink->out;

	ptl_out_str(out, "{\"ts\":\"");
	ptl_out_time(out, &event->posix_timestamp);
	ptl_out_str(out, "\",\"pid\":");
	ptl_out_int(out, event->posix_pid);
	ptl_out_str(out, ",\"tid\":");
	ptl_out_int(out, event->posix_tid_np);
	if (event->posix_pidns_np != 0) {
		ptl_out_str(out, ",\"pidns\":");
		ptl_out_uint(out, event->posix_pidns_np);
	}
	ptl_out_str(out, ",\"id\":");
	ptl_out_uint(out, event->posix_event_id);
	ptl_out_str(out, ",\"name\":");
	ptl_quote_json(out, view->type->name, view->type->name_size);
	ptl_out_str(out, ",\"addr\":\"");
	ptl_out_hex(out, (uintptr_t)event->posix_prog_address);
	ptl_out_char(out, '"');
	if (view->sym != NULL) {
		ptl_out_str(out, ",\"sym\":");
		ptl_quote_json(out, view->sym, strlen(view->sym));
	}
	ptl_out_str(out, ",\"trunc\":\"");
	ptl_out_str(out, truncation_name(event->posix_truncation_status,
					 view->is_short));
	ptl_out_str(out, "\",\"len\":");
	ptl_out_uint(out, view->data_size);
	if (view->duration >= 0) {
		ptl_out_str(out, ",\"dur\":");
		ptl_out_int(out, view->duration);
	}
	ptl_out_str(out, ",\"data\":\"");
	ptl_out_hexdump(out, view->data, view->data_size);
	ptl_out_char(out, '"');
	if (view->type->layout.nr_fields > 0 || view->type->is_system)
		put_args(out, view);
	if (view->source->nr_stack > 0)
		put_stack(out, view);
	ptl_out_str(out, "}\n");
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
	.event = put_event,
	.info = put_info,
};
