/* SPDX-License-Identifier: MIT */
/* Arguments and stacks for perfetto; see annotate.h. */
#include "tools/dump/export/annotate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/quote.h"
#include "tools/model/modules.h"
#include "tools/read/value.h"

/* Fields of TrackEvent, Callstack, Frame and DebugAnnotation. */
enum { EVENT_ANNOTATIONS = 4, EVENT_CALLSTACK = 55 };
enum { CALLSTACK_FRAMES = 1, FRAME_FUNCTION = 1 };
enum {
	VALUE_NAME_IID = 1,
	VALUE_BOOL = 2,
	VALUE_UINT = 3,
	VALUE_INT = 4,
	VALUE_DOUBLE = 5,
	VALUE_STRING = 6,
	VALUE_POINTER = 7,
	VALUE_ARRAY = 12,
	VALUE_STRING_IID = 17,
};

uint64_t ptl_annotate_name(struct ptl_names *names, unsigned int field,
			   const char *bytes, size_t size)
{
	bool is_new;
	uint64_t number =
		ptl_intern_number(names->intern, field, bytes, size, &is_new);

	if (is_new) {
		size_t at = ptl_proto_open(&names->told, field);

		ptl_proto_uint(&names->told, 1, number);
		ptl_proto_text(&names->told, 2, bytes, size);
		ptl_proto_close(&names->told, at);
	}
	return number;
}

static size_t open_annotation(struct ptl_bytes *event, struct ptl_names *names,
			      const char *name)
{
	size_t at = ptl_proto_open(event, EVENT_ANNOTATIONS);

	ptl_proto_uint(event, VALUE_NAME_IID,
		       ptl_annotate_name(names, PTL_NAMES_ARGUMENT, name,
					 strlen(name)));
	return at;
}

static void put_hexdump(struct ptl_bytes *event, const char *bytes, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	size_t at = ptl_proto_open(event, VALUE_STRING);
	char pair[2];

	for (size_t i = 0; i < size; i++) {
		pair[0] = digits[(unsigned char)bytes[i] >> 4];
		pair[1] = digits[bytes[i] & 15];
		ptl_bytes_put(event, pair, sizeof(pair));
	}
	ptl_proto_close(event, at);
}

static void put_value(struct ptl_bytes *event, const struct ptl_value *value)
{
	switch (value->kind) {
	case PTL_VALUE_INT:
		ptl_proto_uint(event, VALUE_INT, value->number);
		break;
	case PTL_VALUE_UINT:
		ptl_proto_uint(event, VALUE_UINT, value->number);
		break;
	case PTL_VALUE_FLOAT:
		ptl_proto_double(event, VALUE_DOUBLE,
				 (double)value->real.number);
		break;
	case PTL_VALUE_BOOL:
		ptl_proto_uint(event, VALUE_BOOL, value->number);
		break;
	case PTL_VALUE_TEXT:
		ptl_proto_text(event, VALUE_STRING, value->bytes, value->size);
		break;
	case PTL_VALUE_ADDRESS:
		ptl_proto_uint(event, VALUE_POINTER, value->number);
		break;
	case PTL_VALUE_BYTES:
		put_hexdump(event, value->bytes, value->size);
		break;
	case PTL_VALUE_UNKNOWN:
	case PTL_VALUE_LIST: /* has no lists in it */
		break;
	}
}

static void put_list(struct ptl_bytes *event, struct ptl_source *source,
		     const struct ptl_arg *arg)
{
	struct ptl_value_walk walk;
	struct ptl_value value;

	ptl_value_begin(&walk, source, arg);
	while (ptl_value_next(&walk, &value)) {
		size_t at = ptl_proto_open(event, VALUE_ARRAY);

		put_value(event, &value);
		ptl_proto_close(event, at);
	}
}

/* The names of a function's parameters, as many as there are arguments, if any
 * of them is known. */
static void put_params(struct ptl_bytes *event, struct ptl_names *names,
		       struct ptl_source *source, const struct ptl_arg *arg)
{
	struct ptl_value_walk walk;
	struct ptl_value value;
	bool is_known = false;
	size_t at;

	ptl_value_begin(&walk, source, arg);
	while (!is_known && ptl_value_next(&walk, &value))
		is_known = value.real.name != NULL;
	if (!is_known)
		return;
	at = open_annotation(event, names, "params");
	ptl_value_begin(&walk, source, arg);
	while (ptl_value_next(&walk, &value)) {
		size_t item = ptl_proto_open(event, VALUE_ARRAY);

		if (value.real.name != NULL)
			ptl_proto_text(event, VALUE_STRING, value.real.name,
				       value.real.name_size);
		ptl_proto_close(event, item);
	}
	ptl_proto_close(event, at);
}

static void put_arg(struct ptl_bytes *event, struct ptl_names *names,
		    const struct ptl_view *view, const struct ptl_arg *arg)
{
	size_t at = open_annotation(event, names, arg->name);
	char buf[PTL_WORDS_MAX];
	struct ptl_value value;

	ptl_value_of(&value, arg, buf);
	if (value.kind == PTL_VALUE_LIST)
		put_list(event, view->source, arg);
	else
		put_value(event, &value);
	ptl_proto_close(event, at);
	if (arg->type == PTL_ARG_ARGUMENTS)
		put_params(event, names, view->source, arg);
}

static void put_args(struct ptl_bytes *event, struct ptl_names *names,
		     const struct ptl_view *view)
{
	const struct ptl_arg *arg;
	unsigned int at = 0;

	for (unsigned int i = 0; i < view->args.nr; i++)
		if (!ptl_words_omit(&view->args.arg[i]))
			put_arg(event, names, view, &view->args.arg[i]);
	while ((arg = ptl_view_context(view, &at)) != NULL)
		put_arg(event, names, view, arg);
}

/* The application's own data, of which nothing is known: text, or 0x and
 * hexadecimal. */
static void put_data(struct ptl_bytes *event, struct ptl_names *names,
		     const struct ptl_view *view)
{
	size_t size = view->data_size, at;

	if (view->type->is_system || view->type->layout.nr_fields > 0 ||
	    size == 0)
		return;
	at = open_annotation(event, names, "data");
	if (size > 1 && view->data[size - 1] == '\0')
		size--;
	if (ptl_quote_is_text(view->data, size))
		ptl_proto_text(event, VALUE_STRING, view->data, size);
	else
		put_hexdump(event, view->data, view->data_size);
	ptl_proto_close(event, at);
}

/* Where it was recorded; no field has such a name. */
static void put_place(struct ptl_bytes *event, struct ptl_names *names,
		      const struct ptl_view *view)
{
	size_t at;

	if (view->event->posix_prog_address == NULL)
		return;
	at = open_annotation(event, names, "@");
	if (view->sym != NULL)
		ptl_proto_uint(event, VALUE_STRING_IID,
			       ptl_annotate_name(names, PTL_NAMES_STRING,
						 view->sym, strlen(view->sym)));
	else
		ptl_proto_uint(event, VALUE_POINTER,
			       (uintptr_t)view->event->posix_prog_address);
	ptl_proto_close(event, at);
}

static void put_function(struct ptl_bytes *event, const char *name)
{
	size_t at = ptl_proto_open(event, CALLSTACK_FRAMES);

	ptl_proto_text(event, FRAME_FUNCTION, name, strlen(name));
	ptl_proto_close(event, at);
}

/* The function, and then those that are inlined there. */
static void put_frame(struct ptl_bytes *event,
		      const struct ptl_view_frame *frame)
{
	const struct ptl_srcline *line;
	size_t nr = ptl_view_frame_lines(frame, &line);
	const char *name = ptl_view_frame_name(frame);
	char hex[32];

	snprintf(hex, sizeof(hex), "0x%llx",
		 (unsigned long long)frame->address);
	put_function(event, name != NULL ? name : hex);
	for (nr--; nr > 0; nr--)
		put_function(event, line[nr - 1].function);
}

/* The outermost function first. */
static void put_stack(struct ptl_bytes *event, const struct ptl_view *view)
{
	const struct ptl_source *source = view->source;
	size_t stack;

	if (source->nr_stack == 0)
		return;
	stack = ptl_proto_open(event, EVENT_CALLSTACK);
	for (size_t i = source->nr_stack; i > 0; i--) {
		struct ptl_view_frame frame = ptl_view_frame(view, i - 1);

		put_frame(event, &frame);
	}
	ptl_proto_close(event, stack);
}

void ptl_annotate(struct ptl_bytes *event, struct ptl_names *names,
		  const struct ptl_view *view)
{
	put_args(event, names, view);
	put_data(event, names, view);
	if (ptl_view_is_cut(view)) {
		size_t at = open_annotation(event, names, "(cut)");

		ptl_proto_uint(event, VALUE_BOOL, 1);
		ptl_proto_close(event, at);
	}
	put_place(event, names, view);
	put_stack(event, view);
}
