/* SPDX-License-Identifier: MIT */
/* What a page shows of an event; see detail.h. */
#include "tools/page/detail.h"

#include <string.h>

#include "tools/lib/quote.h"
#include "tools/read/value.h"

/* Numbers below stay in the text. */
#define SMALL 256

/* Numbers are doubles to the page, which are exact below 2^53: so are these,
 * and four times these. */
#define EXACT (INT64_C(1) << 51)

/* Longer strings and texts are cut. */
#define STRING_MAX 256
#define TEXT_MAX 2048

static struct ptl_out text;

static bool put_sign(struct ptl_detail *detail, char sign, int64_t number)
{
	if (number >= EXACT || number <= -EXACT ||
	    detail->nr == PTL_DETAIL_NUMBERS)
		return false;
	ptl_out_char(&text, sign);
	detail->number[detail->nr++] = number;
	return true;
}

static void put_string(const char *bytes, size_t size, bool is_cut)
{
	if (size > STRING_MAX) {
		size = STRING_MAX;
		is_cut = true;
	}
	ptl_quote_text(&text, bytes, size);
	if (is_cut)
		ptl_out_str(&text, "…");
}

static void put_bytes(const char *bytes, size_t size)
{
	ptl_out_str(&text, "0x");
	ptl_out_hexdump(&text, bytes, size > STRING_MAX ? STRING_MAX : size);
	if (size > STRING_MAX)
		ptl_out_str(&text, "…");
}

/* Of an argument or a result: a word, not a string of the program. */
static bool is_word(const struct ptl_value *value, const struct ptl_arg *arg)
{
	if (arg->type == PTL_ARG_ARGUMENTS || arg->type == PTL_ARG_RESULT)
		return value->real.kind == PTL_TYPED_WORD ||
		       value->real.kind == PTL_TYPED_STRUCTURE;
	return arg->words != NULL || arg->type == PTL_ARG_WORD ||
	       arg->type == PTL_ARG_EVENTSET;
}

static void put_value(struct ptl_detail *detail, const struct ptl_value *value,
		      const struct ptl_arg *arg)
{
	int64_t number = (int64_t)value->number;
	char buf[PTL_TYPED_TEXT];

	switch (value->kind) {
	case PTL_VALUE_INT:
	case PTL_VALUE_UINT:
		if (number > -SMALL && number < SMALL)
			ptl_out_int(&text, number);
		else if (value->kind == PTL_VALUE_UINT && number < 0)
			ptl_out_uint(&text, value->number);
		else if (!put_sign(detail, PTL_DETAIL_DECIMAL, number))
			ptl_out_int(&text, number);
		break;
	case PTL_VALUE_ADDRESS:
		if ((number >= 0 && number < SMALL) || number < 0 ||
		    !put_sign(detail, PTL_DETAIL_HEX, number))
			ptl_out_hex(&text, value->number);
		break;
	case PTL_VALUE_FLOAT:
		ptl_typed_text(&value->real, buf);
		ptl_out_str(&text, buf);
		break;
	case PTL_VALUE_BOOL:
		ptl_out_str(&text, value->number ? "true" : "false");
		break;
	case PTL_VALUE_TEXT:
		if (is_word(value, arg))
			ptl_quote_plain(&text, value->bytes, value->size);
		else
			put_string(value->bytes, value->size, arg->is_cut);
		break;
	case PTL_VALUE_BYTES:
		put_bytes(value->bytes, value->size);
		break;
	case PTL_VALUE_UNKNOWN:
	case PTL_VALUE_LIST: /* has no lists in it */
		ptl_out_str(&text, "…");
		break;
	}
}

static void put_list(struct ptl_detail *detail, struct ptl_source *source,
		     const struct ptl_arg *arg)
{
	struct ptl_value_walk walk;
	struct ptl_value value;

	ptl_out_char(&text, '[');
	ptl_value_begin(&walk, source, arg);
	for (bool is_first = true; ptl_value_next(&walk, &value);
	     is_first = false) {
		if (!is_first)
			ptl_out_str(&text, ", ");
		if (text.used > TEXT_MAX) {
			ptl_out_str(&text, "…");
			break;
		}
		if (arg->type == PTL_ARG_ARGUMENTS &&
		    value.real.name_size > 0) {
			ptl_quote_plain(&text, value.real.name,
					value.real.name_size);
			ptl_out_char(&text, '=');
		}
		put_value(detail, &value, arg);
	}
	ptl_out_char(&text, ']');
}

/* Of a span whose begin was seen: what it is called, and its number. */
static bool is_of_span(const struct ptl_view *view, const struct ptl_arg *arg)
{
	enum ptl_act act = view->type->kind->act;

	return (act == PTL_ACT_SPAN_BEGIN || act == PTL_ACT_SPAN_END) &&
	       ptl_decode_find(&view->args, "type") != NULL &&
	       (strcmp(arg->name, "type") == 0 ||
		strcmp(arg->name, "span") == 0);
}

/* A call's name and duration are shown anyhow, and its address says less. */
static bool is_shown_elsewhere(const struct ptl_view *view,
			       const struct ptl_arg *arg)
{
	if (is_of_span(view, arg))
		return true;
	if (!ptl_act_enters(view->type->kind->act) &&
	    view->type->kind->act != PTL_ACT_LEAVE)
		return false;
	return strcmp(arg->name, "function") == 0 ||
	       strcmp(arg->name, "callee") == 0 ||
	       strcmp(arg->name, "duration") == 0;
}

static void put_arg(struct ptl_detail *detail, const struct ptl_view *view,
		    const struct ptl_arg *arg)
{
	char buf[PTL_WORDS_MAX];
	struct ptl_value value;

	if (text.used > 0)
		ptl_out_char(&text, ' ');
	ptl_quote_plain(&text, arg->name, strlen(arg->name));
	ptl_out_char(&text, '=');
	ptl_value_of(&value, arg, buf);
	if (value.kind == PTL_VALUE_LIST)
		put_list(detail, view->source, arg);
	else
		put_value(detail, &value, arg);
}

/* The error of process:exec_failed is a number in the log, but a word in
 * searches and in the row of the failures that lead here. */
static void put_named(struct ptl_detail *detail, const struct ptl_view *view,
		      const struct ptl_arg *arg)
{
	struct ptl_arg named = *arg;

	if (arg->type == PTL_ARG_INT && arg->words == NULL &&
	    strcmp(arg->name, "errno") == 0)
		named.words = ptl_words_find("errno", 5);
	put_arg(detail, view, &named);
}

/* has_begin: what stands there already is of the call that ends. */
static void put_args(struct ptl_detail *detail, const struct ptl_view *view,
		     bool has_begin)
{
	const struct ptl_arg *first = NULL;

	/* Bars have room for a few words: those that tell programs apart. */
	if (view->type->kind->act == PTL_ACT_START)
		first = ptl_decode_find(&view->args, "argv");
	if (first != NULL)
		put_arg(detail, view, first);
	for (unsigned int i = 0; i < view->args.nr; i++) {
		const struct ptl_arg *arg = &view->args.arg[i];

		if (arg == first || ptl_words_omit(arg) ||
		    is_shown_elsewhere(view, arg) ||
		    (has_begin && strcmp(arg->name, "library") == 0))
			continue;
		if (text.used > TEXT_MAX) {
			ptl_out_str(&text, " …");
			return;
		}
		put_named(detail, view, arg);
	}
}

/* Of what stands from there on: numbers that say the same when they are written
 * again.  Programs count what they tell. */
static void take_numbers(struct ptl_detail *detail, size_t from)
{
	size_t used = from, i = from;

	while (i < text.used) {
		size_t end = i;
		int64_t number = 0;

		for (; end < text.used && text.buf[end] >= '0' &&
		       text.buf[end] <= '9' && end - i < 15;
		     end++)
			number = 10 * number + text.buf[end] - '0';
		if (end - i >= 3 && text.buf[i] != '0' &&
		    detail->nr < PTL_DETAIL_NUMBERS) {
			text.buf[used++] = PTL_DETAIL_DECIMAL;
			detail->number[detail->nr++] = number;
			i = end;
			continue;
		}
		do
			text.buf[used++] = text.buf[i++];
		while (i < end);
	}
	text.used = used;
}

/* The application's own data, of which nothing is known. */
static void put_data(struct ptl_detail *detail, const struct ptl_view *view)
{
	size_t size = view->data_size, from = text.used;

	if (view->type->is_system || view->type->layout.nr_fields > 0 ||
	    size == 0)
		return;
	if (size > 1 && view->data[size - 1] == '\0')
		size--;
	if (ptl_quote_is_text(view->data, size)) {
		put_string(view->data, size, false);
		take_numbers(detail, from);
		return;
	}
	put_bytes(view->data, view->data_size);
}

void ptl_detail_make(struct ptl_detail *detail, const struct ptl_view *view,
		     const struct ptl_detail *before)
{
	ptl_out_init(&text, -1, "", NULL);
	detail->nr = 0;
	if (before != NULL) {
		memcpy(detail->number, before->number,
		       before->nr * sizeof(*detail->number));
		detail->nr = before->nr;
		ptl_out_bytes(&text, before->text, before->size);
	}
	put_args(detail, view, before != NULL && before->size > 0);
	put_data(detail, view);
	if (view->is_short ||
	    view->event->posix_truncation_status != POSIX_TRACE_NOT_TRUNCATED)
		ptl_out_str(&text, " [cut]");
	detail->text = text.buf;
	detail->size = text.used;
}
