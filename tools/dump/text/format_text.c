/* SPDX-License-Identifier: MIT */
/* For people: a line for each event; see text.h. */
#include <string.h>

#include "tools/dump/parts/info.h"
#include "tools/dump/parts/sink.h"
#include "tools/dump/text/text.h"
#include "tools/dump/text/text_join.h"
#include "tools/dump/text/text_paths.h"
#include "tools/lib/clock.h"

static struct ptl_text text;

static void begin(struct ptl_sink *sink)
{
	const struct ptl_source *first = sink->merge->current;

	text = (struct ptl_text){.look = sink->look, .out = &sink->out};
	text.arrow = sink->look->is_utf8 ? "→" : "->";
	text.dots = sink->look->is_utf8 ? "…" : "...";
	text.dash = sink->look->is_utf8 ? "—" : "--";
	/* What is no terminal may be a script. */
	text.group = sink->look->width == 0 ? "" :
		     sink->look->is_utf8    ? "\u2009" :
					      " ";
	if (first != NULL)
		text.first = text.last = ptl_ns(&first->event.posix_timestamp);
	ptl_text_find_hosts(&text, sink->merge);
	for (size_t i = 0; i < sink->merge->nr_sources; i++) {
		struct ptl_source *source = &sink->merge->source[i];

		source->lost = ptl_source_lost(source);
	}
	ptl_text_call_forget();
	ptl_text_paths_begin(sink->look->decodes_fds);
	ptl_join_begin(&text, sink->model);
	if (sink->look->is_terminal)
		ptl_text_heading(&text);
}

static void put_event(struct ptl_sink *sink, const struct ptl_step *step)
{
	ptl_text_paths_learn(step);
	if (sink->look->is_verbose || sink->look->is_all ||
	    !ptl_text_is_noise(step->view))
		ptl_join_event(step);
}

/* With --decode-fds. */
static void learn_paths(struct ptl_sink *sink, const struct ptl_step *step)
{
	(void)sink;
	ptl_text_paths_learn(step);
}

static void end(struct ptl_sink *sink)
{
	ptl_join_end();
	ptl_text_paths_end();
	ptl_text_open_spans(&text, sink->model);
	if (sink->look->is_terminal)
		ptl_text_totals(&text, sink->merge);
}

const struct ptl_format ptl_format_text = {
	.name = "text",
	.wants_processes = true,
	.joins_calls = true,
	.begin = begin,
	.event = put_event,
	.end = end,
	.info = ptl_info_text,
};

const struct ptl_format ptl_format_text_paths = {
	.name = "text",
	.wants_processes = true,
	.joins_calls = true,
	.begin = begin,
	.event = put_event,
	.learn = learn_paths,
	.end = end,
	.info = ptl_info_text,
};
