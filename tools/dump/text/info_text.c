/* SPDX-License-Identifier: MIT */
/* --info for people: "key: value", one a line; see info.h. */
#include <string.h>

#include "tools/dump/parts/info.h"
#include "tools/dump/parts/look.h"
#include "tools/dump/parts/sink.h"
#include "tools/lib/quote.h"

/* Values begin in one column. */
static void put_key(struct ptl_out *out, const char *key)
{
	size_t size = strlen(key);

	ptl_out_str(out, key);
	ptl_out_char(out, ':');
	do
		ptl_out_char(out, ' ');
	while (++size < 19);
}

static void put_lines(struct ptl_out *out, const char *lines)
{
	const char *line;
	size_t size;

	while (ptl_info_line(&lines, &line, &size)) {
		ptl_out_str(out, "  ");
		ptl_quote_plain(out, line, size);
		ptl_out_char(out, '\n');
	}
}

static void put_field(struct ptl_out *out, const struct ptl_info_field *field)
{
	if (field->kind == PTL_INFO_LINES) {
		put_lines(out, field->text);
		return;
	}
	if (field->kind == PTL_INFO_ABSENT && field->text == NULL)
		return;
	put_key(out, field->key);
	if (field->kind == PTL_INFO_NUMBER)
		ptl_out_uint(out, field->number);
	else if (field->kind == PTL_INFO_TIME)
		ptl_out_time(out, &field->time);
	else
		ptl_quote_plain(out, field->text, strlen(field->text));
	ptl_out_char(out, '\n');
}

/* ID NAME FIELDS, one type a line. */
static void put_types(struct ptl_out *out, struct ptl_source *source)
{
	struct ptl_info_type type;

	ptl_out_str(out, "event-types:\n");
	ptl_info_rewind_types(source);
	while (ptl_info_next_type(source, &type)) {
		ptl_out_str(out, "  ");
		ptl_out_uint(out, type.id);
		ptl_out_char(out, ' ');
		ptl_quote_plain(out, type.name, strlen(type.name));
		if (type.fields[0] != '\0') {
			ptl_out_char(out, ' ');
			ptl_quote_plain(out, type.fields, strlen(type.fields));
		}
		ptl_out_char(out, '\n');
	}
}

void ptl_info_text(struct ptl_sink *sink)
{
	for (size_t i = 0; i < sink->merge->nr_sources; i++) {
		if (i > 0)
			ptl_out_char(&sink->out, '\n');
		ptl_info_fields(&sink->merge->source[i], put_field, &sink->out);
		if (sink->look->lists_types)
			put_types(&sink->out, &sink->merge->source[i]);
	}
}
