/* SPDX-License-Identifier: MIT */
/* Begin and end of calls in one line; see text_join.h. */
#include "tools/dump/text/text_join.h"

#include <stdlib.h>
#include <string.h>

#include "tools/dump/text/text_color.h"
#include "tools/dump/text/text_held.h"
#include "tools/lib/quote.h"
#include "tools/lib/say.h"
#include "tools/read/calls.h"
#include "tools/read/merge.h"

/* So many calls, none of which returns: returns are not recorded. */
#define CALLS_ENOUGH 4096

/* A call that has begun, until it is over. */
struct open_call {
	struct open_call *next; /* if it is unused */
	struct ptl_held *line;	/* NULL: it was shown without its end */
	struct ptl_calls *calls;
	uint64_t callee;
	struct open_call *outer; /* with --indent, or NULL */
	unsigned int depth;
	bool has_inner;	  /* lines of its thread have come behind it */
	bool is_doubtful; /* is it shown?  Its end decides */
};

static struct ptl_text *text;
static struct open_call *unused;
static unsigned int nr_calls;

/* A piece of a line, put aside. */
static struct ptl_out aside;
static bool is_too_much;

static void take_too_much(const char *bytes, size_t size)
{
	(void)bytes;
	(void)size;
	is_too_much = true;
}

static void begin_aside(void)
{
	aside.used = 0;
	is_too_much = false;
	text->out = &aside;
	text->hidden = 0;
}

/* To the gap of the line. */
static void end_aside(struct ptl_held *line, unsigned int gap)
{
	if (is_too_much) {
		aside.used = 0;
		ptl_out_str(&aside, " = ");
		ptl_out_str(&aside, text->dots);
	}
	ptl_held_fill(line, gap, aside.buf, aside.used,
		      ptl_text_columns(aside.buf, aside.used) -
			      (unsigned int)text->hidden);
	text->out = ptl_held_out();
}

static void forget(struct open_call *call)
{
	call->next = unused;
	unused = call;
}

/* The line is shown, with that behind the call. */
static void show(struct open_call *call, const char *instead)
{
	begin_aside();
	ptl_text_duration_column(text, -1);
	end_aside(call->line, 0);
	begin_aside();
	if (*instead != '\0') {
		ptl_text_color(text, PTL_TEXT_WAITED);
		ptl_out_str(&aside, instead);
		ptl_text_color(text, PTL_TEXT_PLAIN);
	}
	end_aside(call->line, 1);
	ptl_held_show(call->line);
	call->line = NULL;
	text->out = ptl_held_out();
}

static void drop_line(struct open_call *call)
{
	ptl_held_drop(call->line);
	call->line = NULL;
	text->out = ptl_held_out();
	text->shown--;
}

/* Too much has waited for it. */
static void show_full(struct ptl_held *oldest)
{
	struct open_call *call = oldest->owner;
	bool returns = ptl_calls_returns(call->calls, call->callee);
	char instead[16] = " ";

	if (call->is_doubtful) {
		drop_line(call);
		return;
	}
	strcat(instead, text->look->is_indented ? "{" : text->dots);
	show(call, returns ? instead : "");
}

/* Its end was not shown, or will never be seen. */
static void over(void *tag, bool has_returned)
{
	struct open_call *call = tag;
	bool is_open =
		!has_returned && ptl_calls_returns(call->calls, call->callee);
	char instead[32] = " ";

	if (call->line != NULL && call->is_doubtful) {
		drop_line(call);
	} else if (call->line != NULL) {
		strcat(instead, text->dots);
		strcat(instead, " no end seen");
		show(call, is_open ? instead : "");
	}
	forget(call);
}

void ptl_join_begin(struct ptl_text *new, struct ptl_merge *merge)
{
	text = new;
	nr_calls = 0;
	ptl_out_init(&aside, -1, "", NULL);
	aside.take = take_too_much;
	ptl_held_init(text->out, show_full);
	for (size_t i = 0; i < merge->nr_sources; i++)
		ptl_calls_watch(merge->source[i].calls, over);
}

void ptl_join_end(struct ptl_merge *merge)
{
	for (size_t i = 0; i < merge->nr_sources; i++)
		ptl_calls_finish(merge->source[i].calls);
}

/* All that stands before the place.  Returns where the event begins in the
 * buffer. */
static size_t put_event(const struct ptl_view *view, struct ptl_held *line)
{
	size_t start;

	/* A line that is flushed on its way has no columns. */
	ptl_out_room(text->out, 4096);
	ptl_text_prefix(text, view, line);
	text->hidden = 0;
	start = text->out->used;
	ptl_text_event(text, view);
	return start;
}

static void put_line(const struct ptl_view *view, struct ptl_held *line)
{
	unsigned int blanks;
	size_t start;

	text->out = ptl_held_out();
	start = put_event(view, line);
	blanks = ptl_text_has_place(view) ?
			 ptl_text_place_blanks(text, view, start) :
			 0;
	if (line != NULL)
		ptl_held_mark(line, blanks > 2 ? blanks - 2 : 0);
	if (blanks > 0)
		ptl_text_place(text, view, blanks);
	ptl_out_char(text->out, '\n');
	ptl_text_stack(text, view);
	ptl_held_end(line);
	text->shown++;
}

/* Is its end expected? */
static bool is_awaited(const struct ptl_view *view, uint64_t callee)
{
	const struct ptl_calls *calls = view->source->calls;

	return ptl_calls_returns(calls, callee) || nr_calls < CALLS_ENOUGH ||
	       ptl_calls_returns(calls, 0);
}

static struct open_call *new_call(const struct ptl_view *view)
{
	struct open_call *call = unused;

	if (call != NULL)
		unused = call->next;
	else
		call = ptl_alloc(sizeof(*call));
	*call = (struct open_call){
		.calls = view->source->calls,
		.callee = (uint64_t)ptl_text_find(view, "callee", 0),
		.is_doubtful = view->is_doubtful,
	};
	return call;
}

static void enter(const struct ptl_view *view, struct open_call *outer)
{
	struct open_call *call;

	nr_calls += nr_calls < CALLS_ENOUGH;
	if (!is_awaited(view, (uint64_t)ptl_text_find(view, "callee", 0))) {
		if (!view->is_doubtful)
			put_line(view, NULL);
		return;
	}
	call = new_call(view);
	call->depth = text->depth;
	call->outer = outer;
	ptl_calls_tag(view->source->calls, call);
	/* With --follow nothing waits. */
	if (!text->look->is_following)
		call->line = ptl_held_begin(call);
	if (call->line != NULL || !view->is_doubtful)
		put_line(view, call->line);
}

/* The line of the begin is finished; or, with --indent, has a brace. */
static void finish(const struct ptl_view *view, struct open_call *call)
{
	begin_aside();
	ptl_text_duration_column(text, view->duration);
	end_aside(call->line, 0);
	begin_aside();
	if (text->closes)
		ptl_out_str(&aside, " {");
	else
		ptl_text_returned(text, view);
	end_aside(call->line, 1);
	ptl_held_show(call->line);
	text->out = ptl_held_out();
}

/* Neither half was wanted. */
static void drop(struct open_call *call)
{
	if (call->line != NULL)
		drop_line(call);
	forget(call);
}

/* It is over when its time has come: what is inside of it is to come. */
static void go_on(const struct ptl_view *view, struct open_call *call)
{
	struct ptl_calls *calls = view->source->calls;

	if (call == NULL) {
		call = new_call(view);
		call->depth = text->depth;
	}
	ptl_calls_tag(calls, call);
}

/* Its end has a line of its own if its begin could not wait for it, or if there
 * are lines between the two that --indent shows. */
static void leave(const struct ptl_view *view, const struct open_call *outer)
{
	struct open_call *call = ptl_calls_ended(view->source->calls);
	bool has_line = call != NULL && call->line != NULL;
	bool is_early = view->source->duration >= 0;

	if (view->is_doubtful && (call == NULL || call->is_doubtful)) {
		if (call != NULL)
			drop(call);
		return;
	}
	if (call != NULL) {
		text->depth = call->depth;
		text->closes = text->look->is_indented && !is_early &&
			       !text->look->is_following &&
			       (call->has_inner || !has_line);
		if (call->outer != NULL)
			call->outer->has_inner = true;
	} else if (outer != NULL && is_early) {
		text->depth = outer->depth + 1;
	}
	if (has_line)
		finish(view, call);
	text->is_late = !has_line && !is_early;
	if (!has_line || text->closes)
		put_line(view, NULL);
	if (is_early && text->look->is_indented)
		go_on(view, call);
	else if (call != NULL)
		forget(call);
}

void ptl_join_event(const struct ptl_view *view)
{
	bool is_enter = view->type->kind->act == PTL_ACT_ENTER;
	struct open_call *outer = NULL;

	text->closes = text->is_late = false;
	text->depth = 0;
	if (text->look->is_indented)
		outer = ptl_calls_inner(view->source->calls, view->event);
	if (view->type->kind->act == PTL_ACT_LEAVE) {
		leave(view, outer);
		return;
	}
	if (outer != NULL) {
		text->depth = outer->depth + 1;
		outer->has_inner |= !view->is_doubtful;
	}
	if (is_enter)
		enter(view, outer);
	else
		put_line(view, NULL);
}
