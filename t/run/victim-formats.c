/* SPDX-License-Identifier: MIT */
/*
 * ptrace-dump with formats of its own beside the real ones, as the next format
 * will be added: a struct ptl_format and a row.  What they write tells which of
 * their functions were called, and what these found.
 */
#include <string.h>
#include <unistd.h>

#include "tools/dump/parts/format.h"
#include "tools/dump/parts/info.h"
#include "tools/dump/parts/sink.h"
#include "tools/model/model.h"

static unsigned int nr_events;

static void put_count(struct ptl_out *out)
{
	ptl_out_uint(out, nr_events);
	ptl_out_str(out, " events\n");
}

/* What is found at the end alone: how many events there were. */
static void count_event(struct ptl_sink *sink, const struct ptl_step *step)
{
	(void)sink;
	(void)step;
	nr_events++;
}

static void count_end(struct ptl_sink *sink)
{
	put_count(&sink->out);
}

static const struct ptl_format count = {
	.name = "count",
	.event = count_event,
	.end = count_end,
};

/* Two files: what is known before the first event, and the events. */
static struct ptl_out pieces;

static void put_host(struct ptl_out *out, const struct ptl_info_field *field)
{
	if (strcmp(field->key, "host") != 0)
		return;
	ptl_out_str(out, field->text);
	ptl_out_char(out, '\n');
}

static void pieces_begin(struct ptl_sink *sink)
{
	struct ptl_merge *merge = sink->merge;

	ptl_sink_create(sink, "hosts", &pieces);
	for (size_t i = 0; i < merge->nr_sources; i++)
		ptl_info_fields(&merge->source[i], put_host, &pieces);
	ptl_out_flush(&pieces);
	close(pieces.fd);
	ptl_sink_create(sink, "events", &pieces);
}

static void pieces_event(struct ptl_sink *sink, const struct ptl_step *step)
{
	count_event(sink, step);
	ptl_out_str(&pieces, step->view->type->name);
	ptl_out_char(&pieces, '\n');
}

static void pieces_end(struct ptl_sink *sink)
{
	(void)sink;
	put_count(&pieces);
	ptl_out_flush(&pieces);
	close(pieces.fd);
}

static const struct ptl_format in_pieces = {
	.name = "pieces",
	.wants_directory = true,
	.begin = pieces_begin,
	.event = pieces_event,
	.end = pieces_end,
};

/* So many that the usage text needs another line. */
static const struct ptl_format wide = {
	.name = "a-format-whose-name-takes-some-room",
	.event = count_event,
};

extern const struct ptl_format ptl_format_raw;
extern const struct ptl_format ptl_format_text;
extern const struct ptl_format ptl_format_json;

const struct ptl_format *const ptl_formats[] = {
	&ptl_format_text,
	&ptl_format_json,
	&ptl_format_raw,
	&count,
	&in_pieces,
	&wide,
	NULL,
};
