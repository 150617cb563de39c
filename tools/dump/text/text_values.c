/* SPDX-License-Identifier: MIT */
/* Values of text; see text.h. */
#include <stdio.h>
#include <string.h>

#include "tools/dump/parts/shown.h"
#include "tools/dump/text/text.h"
#include "tools/dump/text/text_color.h"
#include "tools/lib/quote.h"
#include "tools/lib/args/typed.h"
#include "tools/lib/args/words.h"

/* On a terminal; what a program wrote can be long. */
#define STRING_SHOWN 64

void ptl_text_escape(struct ptl_text *text, enum ptl_text_style style)
{
	static const char *const codes[] = {
		[PTL_TEXT_PLAIN] = "\033[0m",	[PTL_TEXT_BOLD] = "\033[1m",
		[PTL_TEXT_DIM] = "\033[2m",	[PTL_TEXT_FAILED] = "\033[31m",
		[PTL_TEXT_WAITED] = "\033[33m",
	};

	ptl_out_str(text->out, codes[style]);
	text->hidden += strlen(codes[style]);
}

/* How many of these continue a character: 10xxxxxx. */
static unsigned int continued(uint64_t bytes)
{
	uint64_t tops = bytes & UINT64_C(0x8080808080808080);

	return tops == 0 ?
		       0 :
		       (unsigned int)__builtin_popcountll(tops & ~(bytes << 1));
}

unsigned int ptl_text_columns(const char *bytes, size_t size)
{
	unsigned int columns = (unsigned int)size;
	uint64_t eight;
	uint32_t four;

	for (; size >= sizeof(eight); size -= sizeof(eight)) {
		memcpy(&eight, bytes, sizeof(eight));
		bytes += sizeof(eight);
		columns -= continued(eight);
	}
	if (size >= sizeof(four)) {
		memcpy(&four, bytes, sizeof(four));
		bytes += sizeof(four);
		size -= sizeof(four);
		columns -= continued(four);
	}
	for (; size > 0; size--)
		columns -= (*bytes++ & 0xc0) == 0x80;
	return columns;
}

const char *ptl_text_duration(const struct ptl_text *text, int64_t ns,
			      char buf[PTL_NUMBER_SIZE])
{
	return ptl_number_duration_as(buf, ns,
				      text->look->is_utf8 ? "µs" : "us");
}

void ptl_text_size(struct ptl_text *text, uint64_t bytes)
{
	char buf[PTL_NUMBER_SIZE];

	ptl_out_str(text->out,
		    ptl_number_bytes(buf, bytes < INT64_MAX ? (int64_t)bytes :
							      INT64_MAX));
}

int64_t ptl_text_find(const struct ptl_view *view, const char *name,
		      int64_t otherwise)
{
	const struct ptl_arg *arg = ptl_decode_find(&view->args, name);

	return arg != NULL ? arg->value : otherwise;
}

static void put_dots(struct ptl_text *text)
{
	ptl_text_color(text, PTL_TEXT_WAITED);
	ptl_out_str(text->out, text->dots);
	ptl_text_color(text, PTL_TEXT_PLAIN);
}

void ptl_text_string(struct ptl_text *text, const char *bytes, size_t size,
		     bool is_cut)
{
	ptl_quote_text(text->out, bytes, size);
	if (is_cut)
		put_dots(text);
}

/* One that is no path: on a terminal its beginning will do. */
static void put_content(struct ptl_text *text, const char *bytes, size_t size,
			bool is_cut)
{
	size_t cut = STRING_SHOWN;

	if (text->look->width == 0 || text->look->is_verbose || size <= cut) {
		ptl_text_string(text, bytes, size, is_cut);
		return;
	}
	while (cut > STRING_SHOWN - 4 && (bytes[cut] & 0xc0) == 0x80)
		cut--;
	ptl_text_string(text, bytes, cut, true);
}

void ptl_text_error(struct ptl_text *text, int error)
{
	const char *name = strerrorname_np(error);

	if (name == NULL) {
		ptl_out_str(text->out, "error ");
		ptl_out_int(text->out, error);
		return;
	}
	ptl_text_color(text, PTL_TEXT_FAILED);
	ptl_out_str(text->out, name);
	ptl_text_color(text, PTL_TEXT_PLAIN);
	ptl_out_str(text->out, " (");
	ptl_out_str(text->out, strerrordesc_np(error));
	ptl_out_char(text->out, ')');
}

static void put_strings(struct ptl_text *text, const struct ptl_arg *arg)
{
	struct ptl_arg string = {0};
	size_t at = 0;

	ptl_out_char(text->out, '[');
	for (bool is_first = true; ptl_decode_next(arg, &at, &string);
	     is_first = false) {
		if (!is_first)
			ptl_out_str(text->out, ", ");
		put_content(text, string.bytes, string.size, string.is_cut);
	}
	ptl_out_char(text->out, ']');
}

static void put_typed(struct ptl_text *text,
		      const struct ptl_typed_value *value)
{
	if (value->kind == PTL_TYPED_STRING)
		put_content(text, value->bytes, value->size, value->is_cut);
	else
		ptl_shown_typed(text->out, value, text->dots);
}

static void put_words(struct ptl_text *text, const struct ptl_arg *arg)
{
	char buf[PTL_WORDS_MAX];

	ptl_quote_plain(text->out, buf, ptl_words_text(arg, buf));
}

/* Of a function of libc numbers have names, too. */
static void put_argument(struct ptl_text *text, const struct ptl_arg *function,
			 unsigned int place,
			 const struct ptl_typed_value *value)
{
	struct ptl_arg number = {.name = "",
				 .type = PTL_ARG_INT,
				 .value = (int64_t)value->value};

	ptl_shown_name(text->out, value);
	if (function != NULL && function->bytes != NULL &&
	    value->name == NULL &&
	    (value->kind == PTL_TYPED_INT || value->kind == PTL_TYPED_UINT))
		number.words = ptl_words_of_argument(function->bytes,
						     function->size, place);
	if (number.words != NULL)
		put_words(text, &number);
	else
		put_typed(text, value);
}

static void put_arguments(struct ptl_text *text, const struct ptl_arg *function,
			  const struct ptl_arg *arg)
{
	struct ptl_typed_walk walk;
	struct ptl_typed_value value;

	ptl_typed_arguments(&walk, arg->code, arg->bytes, arg->size);
	for (unsigned int i = 0; ptl_typed_next(&walk, &value); i++) {
		if (i > 0)
			ptl_out_str(text->out, ", ");
		put_argument(text, function, i, &value);
	}
}

static void put_result(struct ptl_text *text, const struct ptl_arg *arg)
{
	struct ptl_typed_walk walk;
	struct ptl_typed_value value;

	ptl_typed_result(&walk, arg->code, arg->bytes, arg->size);
	if (ptl_typed_next(&walk, &value))
		put_typed(text, &value);
}

void ptl_text_value(struct ptl_text *text, const struct ptl_view *view,
		    const struct ptl_arg *arg)
{
	struct ptl_typed_value number;

	if (arg->words != NULL) {
		put_words(text, arg);
		return;
	}
	switch (arg->type) {
	case PTL_ARG_INT:
	case PTL_ARG_C_INT:
		ptl_out_int(text->out, arg->value);
		break;
	case PTL_ARG_HEX:
		ptl_out_hex(text->out, (uint64_t)arg->value);
		break;
	case PTL_ARG_DATA: /* is STRING when it is decoded */
	case PTL_ARG_STRING:
		ptl_text_string(text, arg->bytes, arg->size, arg->is_cut);
		break;
	case PTL_ARG_WORD:
		ptl_quote_plain(text->out, arg->bytes, arg->size);
		break;
	case PTL_ARG_STRINGS:
		put_strings(text, arg);
		break;
	case PTL_ARG_REST: /* is BYTES when it is decoded */
	case PTL_ARG_BYTES:
		ptl_out_hexdump(text->out, arg->bytes, arg->size);
		if (arg->is_cut)
			put_dots(text);
		break;
	case PTL_ARG_EVENTSET:
		ptl_shown_set(text->out, view->source, arg);
		break;
	case PTL_ARG_FLOAT:
		number = (struct ptl_typed_value){
			.kind = PTL_TYPED_FLOAT,
			.letter = 'd',
			.number = ptl_typed_double(arg->value)};
		put_typed(text, &number);
		break;
	case PTL_ARG_SIZED: /* is ARGUMENTS when it is decoded */
	case PTL_ARG_ARGUMENTS:
		put_arguments(text, ptl_decode_find(&view->args, "function"),
			      arg);
		break;
	case PTL_ARG_RESULT:
		put_result(text, arg);
		break;
	}
}

/* The application's own data, of which nothing is known. */
static void put_data(struct ptl_text *text, const struct ptl_view *view)
{
	size_t size = view->data_size;

	ptl_out_char(text->out, ' ');
	if (size > 1 && view->data[size - 1] == '\0')
		size--;
	if (ptl_quote_is_text(view->data, size)) {
		put_content(text, view->data, size, false);
	} else {
		ptl_out_str(text->out, "0x");
		ptl_out_hexdump(text->out, view->data, view->data_size);
	}
}

static void put_pair(struct ptl_text *text, const struct ptl_view *view,
		     const struct ptl_arg *arg)
{
	ptl_quote_plain(text->out, arg->name, strlen(arg->name));
	ptl_out_char(text->out, '=');
	ptl_text_value(text, view, arg);
}

void ptl_text_context(struct ptl_text *text, const struct ptl_view *view)
{
	const struct ptl_arg *arg;
	unsigned int at = 0;
	bool is_first = true;

	for (; (arg = ptl_view_context(view, &at)) != NULL; is_first = false) {
		ptl_out_str(text->out, is_first ? "  {" : " ");
		put_pair(text, view, arg);
	}
	if (!is_first)
		ptl_out_char(text->out, '}');
}

void ptl_text_fields(struct ptl_text *text, const struct ptl_view *view)
{
	const struct ptl_args *args = &view->args;
	struct ptl_out *out = text->out;

	ptl_quote_plain(out, view->type->name, view->type->name_size);
	for (unsigned int i = 0; i < args->nr; i++) {
		if (ptl_words_omit(&args->arg[i]))
			continue;
		ptl_out_char(out, ' ');
		put_pair(text, view, &args->arg[i]);
	}
	if (view->type->layout.nr_fields == 0 && view->data_size > 0)
		put_data(text, view);
}
