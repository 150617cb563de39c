/* SPDX-License-Identifier: MIT */
/* Arguments and stacks as JSON; see json.h. */
#include "tools/dump/parts/json.h"

#include <stdio.h>
#include <string.h>

#include "tools/lib/quote.h"
#include "tools/model/modules.h"
#include "tools/read/value.h"

static void put_quoted_hex(struct ptl_out *out, uint64_t number)
{
	ptl_out_char(out, '"');
	ptl_out_hex(out, number);
	ptl_out_char(out, '"');
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

static void put_value(struct ptl_out *out, const struct ptl_value *value)
{
	switch (value->kind) {
	case PTL_VALUE_INT:
		ptl_out_int(out, (int64_t)value->number);
		break;
	case PTL_VALUE_UINT:
		ptl_out_uint(out, value->number);
		break;
	case PTL_VALUE_FLOAT:
		put_float(out, &value->real);
		break;
	case PTL_VALUE_BOOL:
		ptl_out_str(out, value->number ? "true" : "false");
		break;
	case PTL_VALUE_TEXT:
		ptl_quote_json(out, value->bytes, value->size);
		break;
	case PTL_VALUE_ADDRESS:
		put_quoted_hex(out, value->number);
		break;
	case PTL_VALUE_BYTES:
		ptl_out_char(out, '"');
		ptl_out_hexdump(out, value->bytes, value->size);
		ptl_out_char(out, '"');
		break;
	case PTL_VALUE_UNKNOWN:
	case PTL_VALUE_LIST: /* has no lists in it */
		ptl_out_str(out, "null");
		break;
	}
}

static void put_list(struct ptl_out *out, struct ptl_source *source,
		     const struct ptl_arg *arg)
{
	struct ptl_value_walk walk;
	struct ptl_value value;

	ptl_out_char(out, '[');
	ptl_value_begin(&walk, source, arg);
	for (bool is_first = true; ptl_value_next(&walk, &value);
	     is_first = false) {
		if (!is_first)
			ptl_out_char(out, ',');
		put_value(out, &value);
	}
	ptl_out_char(out, ']');
}

/* The names of a function's parameters, where they are known: as many as there
 * are arguments. */
static void put_names(struct ptl_out *out, struct ptl_source *source,
		      const struct ptl_arg *arg)
{
	struct ptl_value_walk walk;
	struct ptl_value value;
	bool is_known = false;

	ptl_value_begin(&walk, source, arg);
	while (!is_known && ptl_value_next(&walk, &value))
		is_known = value.real.name != NULL;
	if (!is_known)
		return;
	ptl_out_str(out, ",\"params\":");
	ptl_value_begin(&walk, source, arg);
	for (char before = '['; ptl_value_next(&walk, &value); before = ',') {
		ptl_out_char(out, before);
		if (value.real.name != NULL)
			ptl_quote_json(out, value.real.name,
				       value.real.name_size);
		else
			ptl_out_str(out, "null");
	}
	ptl_out_char(out, ']');
}

static void put_key(struct ptl_out *out, const struct ptl_arg *arg)
{
	char *room;

	if (arg->plain == 0) {
		ptl_quote_json(out, arg->name, strlen(arg->name));
		ptl_out_char(out, ':');
		return;
	}
	room = ptl_out_room(out, (size_t)arg->plain + 3);
	*room = '"';
	memcpy(room + 1, arg->name, arg->plain);
	memcpy(room + 1 + arg->plain, "\":", 2);
	out->used += (size_t)arg->plain + 3;
}

static void put_contents(struct ptl_out *out, struct ptl_source *source,
			 const struct ptl_arg *arg)
{
	char buf[PTL_WORDS_MAX];
	struct ptl_value value;

	ptl_value_of(&value, arg, buf);
	if (value.kind == PTL_VALUE_LIST) {
		put_list(out, source, arg);
		if (arg->type == PTL_ARG_ARGUMENTS)
			put_names(out, source, arg);
	} else {
		put_value(out, &value);
	}
	if (arg->is_data && arg->is_cut)
		ptl_out_str(out, ",\"data_cut\":true");
}

static void put_member(struct ptl_out *out, struct ptl_source *source,
		       const struct ptl_arg *arg)
{
	put_key(out, arg);
	put_contents(out, source, arg);
}

/* Has the event a member of that name, or may it get one from another
 * argument? */
static bool is_taken(const char *name)
{
	static const char *const members[] = {
		"ts",	  "t",	       "pid",		"tid",
		"host",	  "program",   "rank",		"pidns",
		"id",	  "name",      "addr",		"sym",
		"module", "src",       "inlined",	"trunc",
		"len",	  "dur",       "failed",	"data",
		"text",	  "args",      "params",	"data_cut",
		"stack",  "stack_src", "stack_inlined", "context"};

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		if (*name == *members[i] && strcmp(name, members[i]) == 0)
			return true;
	return strncmp(name, "arg_", 4) == 0;
}

void ptl_json_flat(struct ptl_out *out, const struct ptl_view *view)
{
	for (unsigned int i = 0; i < view->args.nr; i++) {
		const struct ptl_arg *arg = &view->args.arg[i];
		char name[PTL_DECODE_NAME + 8];

		if (ptl_words_omit(arg))
			continue;
		ptl_out_char(out, ',');
		if (is_taken(arg->name)) {
			snprintf(name, sizeof(name), "arg_%s", arg->name);
			ptl_quote_json(out, name, strlen(name));
			ptl_out_char(out, ':');
		} else {
			put_key(out, arg);
		}
		put_contents(out, view->source, arg);
	}
}

void ptl_json_args(struct ptl_out *out, const struct ptl_view *view)
{
	bool is_first = true;

	ptl_out_char(out, '{');
	for (unsigned int i = 0; i < view->args.nr; i++) {
		if (ptl_words_omit(&view->args.arg[i]))
			continue;
		if (!is_first)
			ptl_out_char(out, ',');
		is_first = false;
		put_member(out, view->source, &view->args.arg[i]);
	}
	ptl_out_char(out, '}');
}

bool ptl_json_context(struct ptl_out *out, const char *before,
		      const struct ptl_view *view)
{
	const struct ptl_arg *arg;
	unsigned int at = 0;
	bool is_first = true;

	for (; (arg = ptl_view_context(view, &at)) != NULL; is_first = false) {
		ptl_out_str(out, is_first ? before : "");
		ptl_out_char(out, is_first ? '{' : ',');
		put_member(out, view->source, arg);
	}
	if (!is_first)
		ptl_out_char(out, '}');
	return !is_first;
}

static bool is_in(const char *const *names, const char *name)
{
	while (*names != NULL && strcmp(*names, name) != 0)
		names++;
	return *names != NULL;
}

bool ptl_json_members(struct ptl_out *out, const struct ptl_view *view,
		      const char *const *without)
{
	const struct ptl_arg *arg;
	unsigned int at = 0, nr = 0;

	for (unsigned int i = 0; i < view->args.nr; i++) {
		arg = &view->args.arg[i];
		if (ptl_words_omit(arg) || is_in(without, arg->name))
			continue;
		if (nr++ > 0)
			ptl_out_char(out, ',');
		put_member(out, view->source, arg);
	}
	while ((arg = ptl_view_context(view, &at)) != NULL) {
		if (nr++ > 0)
			ptl_out_char(out, ',');
		put_member(out, view->source, arg);
	}
	return nr > 0;
}

void ptl_json_stack(struct ptl_out *out, const struct ptl_view *view)
{
	const struct ptl_source *source = view->source;

	ptl_out_char(out, '[');
	for (size_t i = 0; i < source->nr_stack; i++) {
		struct ptl_view_frame frame = ptl_view_frame(view, i);
		const char *name = ptl_view_frame_name(&frame);

		if (i > 0)
			ptl_out_char(out, ',');
		if (name != NULL)
			ptl_quote_json(out, name, strlen(name));
		else
			put_quoted_hex(out, frame.address);
	}
	ptl_out_char(out, ']');
}

void ptl_json_inlined(struct ptl_out *out, const struct ptl_srcline *line,
		      size_t nr)
{
	ptl_out_char(out, '[');
	for (size_t i = 0; i + 1 < nr; i++) {
		const char *function = line[i].function;
		const char *call = line[i + 1].name;

		ptl_out_str(out, i > 0 ? ",{\"function\":" : "{\"function\":");
		ptl_quote_json(out, function, strlen(function));
		if (call != NULL) {
			ptl_out_str(out, ",\"call\":");
			ptl_quote_json(out, call, strlen(call));
		}
		ptl_out_char(out, '}');
	}
	ptl_out_char(out, ']');
}

static void put_stack_inlined(struct ptl_out *out, const struct ptl_view *view)
{
	const struct ptl_srcline *line;

	ptl_out_str(out, ",\"stack_inlined\":");
	for (size_t i = 0; i < view->source->nr_stack; i++) {
		struct ptl_view_frame frame = ptl_view_frame(view, i);
		size_t nr = ptl_view_frame_lines(&frame, &line);

		ptl_out_char(out, i > 0 ? ',' : '[');
		ptl_json_inlined(out, line, nr);
	}
	ptl_out_char(out, ']');
}

void ptl_json_stack_lines(struct ptl_out *out, const struct ptl_view *view)
{
	const struct ptl_source *source = view->source;
	const struct ptl_srcline *line;
	bool has_inlined = false;
	size_t nr_put = 0;

	for (size_t i = 0; i < source->nr_stack; i++) {
		struct ptl_view_frame frame = ptl_view_frame(view, i);

		if (ptl_view_frame_lines(&frame, &line) > 1)
			has_inlined = true;
		if (line->name == NULL)
			continue;
		for (; nr_put < i; nr_put++)
			ptl_out_str(out, nr_put == 0 ? ",\"stack_src\":[\"\"" :
						       ",\"\"");
		ptl_out_str(out, nr_put++ == 0 ? ",\"stack_src\":[" : ",");
		ptl_quote_json(out, line->name, strlen(line->name));
	}
	for (; nr_put > 0 && nr_put < source->nr_stack; nr_put++)
		ptl_out_str(out, ",\"\"");
	if (nr_put > 0)
		ptl_out_char(out, ']');
	if (has_inlined)
		put_stack_inlined(out, view);
}
