/* SPDX-License-Identifier: MIT */
/* What programs say of themselves: spans; see text.h. */
#include <stdio.h>
#include <string.h>

#include "tools/dump/text/text.h"
#include "tools/dump/text/text_color.h"
#include "tools/lib/quote.h"
#include "tools/model/model.h"

/* Fields of a span:begin that are ours: number and type. */
#define OURS 2

/* By its name; with its number, if that says more or all. */
static void put_name(struct ptl_text *text, const struct ptl_view *view)
{
	const struct ptl_arg *name = ptl_decode_find(&view->args, "type");
	bool is_named = name != NULL && name->bytes != NULL;

	if (is_named)
		ptl_quote_plain(text->out, name->bytes, name->size);
	if (is_named && !text->look->is_verbose)
		return;
	ptl_out_str(text->out, is_named ? " span=" : "span ");
	ptl_out_hex(text->out, (uint64_t)ptl_text_find(view, "span", 0));
}

/* Is it what the program gave, without a name of its own? */
static bool is_plain_data(const struct ptl_view *view)
{
	return view->args.nr == OURS + 1 &&
	       strcmp(view->args.arg[OURS].name, "data") == 0;
}

/* What the program has said of it. */
static void put_rest(struct ptl_text *text, const struct ptl_view *view)
{
	const struct ptl_args *args = &view->args;

	for (unsigned int i = OURS; i < args->nr; i++) {
		const struct ptl_arg *arg = &args->arg[i];

		ptl_out_char(text->out, ' ');
		if (!is_plain_data(view)) {
			ptl_quote_plain(text->out, arg->name,
					strlen(arg->name));
			ptl_out_char(text->out, '=');
		}
		ptl_text_value(text, view, arg);
	}
}

void ptl_text_span(struct ptl_text *text, const struct ptl_view *view)
{
	ptl_out_str(text->out, view->type->kind->act == PTL_ACT_SPAN_END ?
				       "end " :
				       "begin ");
	put_name(text, view);
	put_rest(text, view);
}

static void put_linked(struct ptl_text *text, const struct ptl_view *view,
		       const char *name, const char *number)
{
	const struct ptl_arg *type = ptl_decode_find(&view->args, name);

	if (type != NULL)
		ptl_quote_plain(text->out, type->bytes, type->size);
	if (type != NULL && !text->look->is_verbose)
		return;
	ptl_out_str(text->out, type != NULL ? " span=" : "span ");
	ptl_out_hex(text->out, (uint64_t)ptl_text_find(view, number, 0));
}

/* "request <- upload": that has caused it; "request after upload". */
void ptl_text_span_link(struct ptl_text *text, const struct ptl_view *view)
{
	bool is_cause =
		ptl_text_find(view, "kind", 0) == POSIX_TRACE_SPAN_CAUSE_NP;

	ptl_out_str(text->out, "link ");
	put_linked(text, view, "type", "span");
	ptl_out_str(text->out, is_cause ? " caused by " : " follows ");
	put_linked(text, view, "to_type", "to");
}

/* "-- still open at the end: request "GET /" of app[12], since 0.010000, 2ms
 * --"
 */
static void put_open(struct ptl_text *text, const struct ptl_model *model,
		     const struct ptl_userspan *span)
{
	uint64_t since = (span->begin - text->first) / 1000;
	const char *program = span->program != NULL ? span->program : "?";
	char buf[PTL_NUMBER_SIZE], began[64];
	struct ptl_view view;

	ptl_userspan_begun(span, &view);
	ptl_text_color(text, PTL_TEXT_WAITED);
	ptl_out_str(text->out, text->dash);
	ptl_out_str(text->out, " still open at the end: ");
	put_name(text, &view);
	put_rest(text, &view);
	ptl_out_str(text->out, " of ");
	ptl_quote_plain(text->out, program, strlen(program));
	ptl_out_char(text->out, '[');
	ptl_out_int(text->out, span->event.posix_pid);
	if (span->event.posix_tid_np != span->event.posix_pid) {
		ptl_out_char(text->out, '/');
		ptl_out_int(text->out, span->event.posix_tid_np);
	}
	/* Cut, as in the column of times. */
	snprintf(began, sizeof(began), "], since %llu.%06u, ",
		 (unsigned long long)(since / 1000000),
		 (unsigned int)(since % 1000000));
	ptl_out_str(text->out, began);
	ptl_out_str(
		text->out,
		ptl_text_duration(text, ptl_model_open_for(model, span), buf));
	ptl_out_char(text->out, ' ');
	ptl_out_str(text->out, text->dash);
	ptl_text_color(text, PTL_TEXT_PLAIN);
	ptl_out_char(text->out, '\n');
}

void ptl_text_open_spans(struct ptl_text *text, const struct ptl_model *model)
{
	const struct ptl_userspan *span = NULL;

	while (!model->is_partial &&
	       (span = ptl_userspans_next_open(model->userspans, span)) != NULL)
		if (span->is_shown)
			put_open(text, model, span);
}
