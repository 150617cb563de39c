/* SPDX-License-Identifier: MIT */
/*
 * Events as they were recorded, for grep(1) and awk(1), one a line:
 *
 *	TIME PID/TID NAME key=value ... @ function+0x1c (module)
 *
 * What was cut off shows as "..." after what is left, as strace has it.  The
 * stack follows, if it was recorded: indented, one frame a line.
 */
#include <limits.h>
#include <string.h>

#include "tools/dump/parts/info.h"
#include "tools/model/modules.h"
#include "tools/dump/parts/shown.h"
#include "tools/dump/parts/sink.h"
#include "tools/model/view.h"
#include "tools/lib/quote.h"
#include "tools/lib/args/typed.h"
#include "tools/lib/args/words.h"

static void put_string(struct ptl_out *out, const char *s, size_t size,
		       bool is_cut)
{
	ptl_quote_text(out, s, size);
	if (is_cut)
		ptl_out_str(out, "...");
}

/* A name; in quotes if it has blanks and the like, as C++ names do. */
static void put_word(struct ptl_out *out, const struct ptl_arg *arg)
{
	static const bool is_plain[UCHAR_MAX + 1] = {
		['a' ... 'z'] = true, ['A' ... 'Z'] = true,
		['0' ... '9'] = true, ['_'] = true,
		['.'] = true,	      ['@'] = true,
		[':'] = true,	      ['+'] = true,
		['-'] = true,	      ['/'] = true,
		['~'] = true,	      ['$'] = true};

	for (size_t i = 0; i < arg->size; i++) {
		if (!is_plain[(unsigned char)arg->bytes[i]]) {
			put_string(out, arg->bytes, arg->size, false);
			return;
		}
	}
	ptl_out_bytes(out, arg->bytes, arg->size);
}

static void put_strings(struct ptl_out *out, const struct ptl_arg *arg)
{
	struct ptl_arg string = {0};
	size_t at = 0;

	ptl_out_char(out, '[');
	for (bool is_first = true; ptl_decode_next(arg, &at, &string);
	     is_first = false) {
		if (!is_first)
			ptl_out_str(out, ", ");
		put_string(out, string.bytes, string.size, string.is_cut);
	}
	ptl_out_char(out, ']');
}

static void put_typed(struct ptl_out *out, const struct ptl_typed_value *value)
{
	if (value->kind == PTL_TYPED_STRING)
		put_string(out, value->bytes, value->size, value->is_cut);
	else
		ptl_shown_typed(out, value, "...");
}

static void put_call(struct ptl_out *out, const struct ptl_arg *arg)
{
	struct ptl_typed_walk walk;
	struct ptl_typed_value value;

	ptl_typed_arguments(&walk, arg->code, arg->bytes, arg->size);
	ptl_out_char(out, '(');
	for (bool is_first = true; ptl_typed_next(&walk, &value);
	     is_first = false) {
		if (!is_first)
			ptl_out_str(out, ", ");
		ptl_shown_name(out, &value);
		put_typed(out, &value);
	}
	ptl_out_char(out, ')');
}

static void put_result(struct ptl_out *out, const struct ptl_arg *arg)
{
	struct ptl_typed_walk walk;
	struct ptl_typed_value value;

	ptl_typed_result(&walk, arg->code, arg->bytes, arg->size);
	if (ptl_typed_next(&walk, &value))
		put_typed(out, &value);
}

static void put_arg(struct ptl_out *out, struct ptl_source *source,
		    const struct ptl_arg *arg)
{
	char buf[PTL_WORDS_MAX];

	if (ptl_words_omit(arg))
		return;
	ptl_out_char(out, ' ');
	ptl_quote_plain(out, arg->name, strlen(arg->name));
	ptl_out_char(out, '=');
	if (arg->words != NULL) {
		ptl_quote_plain(out, buf, ptl_words_text(arg, buf));
		return;
	}
	switch (arg->type) {
	case PTL_ARG_INT:
	case PTL_ARG_C_INT:
		ptl_out_int(out, arg->value);
		break;
	case PTL_ARG_HEX:
		ptl_out_hex(out, (uint64_t)arg->value);
		break;
	case PTL_ARG_DATA: /* is STRING when it is decoded */
	case PTL_ARG_STRING:
		put_string(out, arg->bytes, arg->size, arg->is_cut);
		break;
	case PTL_ARG_STRINGS:
		put_strings(out, arg);
		break;
	case PTL_ARG_REST: /* is BYTES when it is decoded */
	case PTL_ARG_BYTES:
		ptl_out_hexdump(out, arg->bytes, arg->size);
		if (arg->is_cut)
			ptl_out_str(out, "...");
		break;
	case PTL_ARG_EVENTSET:
		ptl_shown_set(out, source, arg);
		break;
	case PTL_ARG_WORD:
		put_word(out, arg);
		break;
	case PTL_ARG_FLOAT:
		put_typed(out, &(struct ptl_typed_value){
				       .kind = PTL_TYPED_FLOAT,
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

/* The application's own data, of which nothing is known. */
static void put_data(struct ptl_out *out, const struct ptl_view *view)
{
	size_t size = view->data_size;

	ptl_out_str(out, " data=");
	if (size > 1 && view->data[size - 1] == '\0')
		size--;
	if (ptl_quote_is_text(view->data, size)) {
		ptl_quote_text(out, view->data, size);
	} else {
		ptl_out_str(out, "0x");
		ptl_out_hexdump(out, view->data, view->data_size);
	}
}

/* By name, else the place in the module, else the bare address. */
static void put_address(struct ptl_out *out, const struct ptl_view *view,
			uint64_t address, const char *name)
{
	const char *module;
	uint64_t offset;

	if (name != NULL) {
		ptl_quote_plain(out, name, strlen(name));
		return;
	}
	module = ptl_modules_place(view->source->modules, view->event, address,
				   &offset);
	if (module == NULL) {
		ptl_out_hex(out, address);
		return;
	}
	ptl_out_char(out, '+');
	ptl_out_hex(out, offset);
	ptl_out_str(out, " (");
	ptl_quote_plain(out, module, strlen(module));
	ptl_out_char(out, ')');
}

/* A line for each frame. */
static void put_stack(struct ptl_out *out, const struct ptl_view *view)
{
	const struct ptl_source *source = view->source;

	for (size_t i = 0; i < source->nr_stack; i++) {
		struct ptl_view_frame frame = ptl_view_frame(view, i);

		ptl_out_str(out, "    ");
		put_address(out, view, frame.address,
			    ptl_view_frame_name(&frame));
		ptl_out_char(out, '\n');
	}
}

/* Something is missing, and no string has said so. */
static bool lacks_more(const struct ptl_view *view)
{
	unsigned int nr = view->args.nr;

	return view->event->posix_truncation_status !=
		       POSIX_TRACE_NOT_TRUNCATED ||
	       (view->is_short && (nr == 0 || !view->args.arg[nr - 1].is_cut));
}

static void put_event(struct ptl_sink *sink, const struct ptl_step *step)
{
	const struct ptl_view *view = step->view;
	const struct posix_trace_event_info *event = view->event;
	struct ptl_out *out = &sink->out;

	ptl_out_time(out, &event->posix_timestamp);
	ptl_out_char(out, ' ');
	ptl_out_int(out, event->posix_pid);
	if (event->posix_pidns_np != 0) {
		ptl_out_char(out, '@');
		ptl_out_uint(out, event->posix_pidns_np);
	}
	ptl_out_char(out, '/');
	ptl_out_int(out, event->posix_tid_np);
	ptl_out_char(out, ' ');
	ptl_quote_plain(out, view->type->name, view->type->name_size);
	for (unsigned int i = 0; i < view->args.nr; i++)
		put_arg(out, view->source, &view->args.arg[i]);
	if (view->type->layout.nr_fields == 0 && view->data_size > 0)
		put_data(out, view);
	if (lacks_more(view))
		ptl_out_str(out, "...");
	/* Of calls of functions it is among the arguments. */
	if (view->duration >= 0 && view->type->kind->act != PTL_ACT_LEAVE) {
		ptl_out_str(out, " dur=");
		ptl_out_int(out, view->duration);
	}
	if (event->posix_prog_address != NULL) {
		ptl_out_str(out, " @ ");
		put_address(out, view, (uintptr_t)event->posix_prog_address,
			    view->sym);
	}
	ptl_out_char(out, '\n');
	put_stack(out, view);
}

const struct ptl_format ptl_format_raw = {
	.name = "raw",
	.event = put_event,
	.info = ptl_info_text,
};
