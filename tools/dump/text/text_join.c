/* SPDX-License-Identifier: MIT */
/* Begin and end of calls in one line; see text_join.h. */
#include "tools/dump/text/text_join.h"

#include <stdlib.h>
#include <string.h>

#include "tools/dump/text/text_color.h"
#include "tools/dump/text/text_held.h"
#include "tools/lib/quote.h"
#include "tools/lib/say.h"

/* So many calls, none of which returns: returns are not recorded. */
#define CALLS_ENOUGH 4096

/* A call that has begun, until it is over. */
struct open_call {
	struct open_call *next; /* if it is unused */
	struct ptl_held *line;	/* NULL: it was shown without its end */
	uint64_t callee;
	struct open_call *outer; /* with --indent, or NULL */
	unsigned int depth;
	bool has_inner;	  /* lines of its thread have come behind it */
	bool is_doubtful; /* is it shown?  Its end decides */
};

static struct ptl_text *text;
static struct ptl_calls *calls;
static struct ptl_calls_user user;
static struct open_call *ended; /* by the event, if that is shown */
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
	bool returns = ptl_calls_returns(calls, call->callee);
	char instead[16] = " ";

	if (call->is_doubtful) {
		drop_line(call);
		return;
	}
	strcat(instead, text->look->is_indented ? "{" : text->dots);
	show(call, returns ? instead : "");
}

/* The end of the call was not shown, or will never be seen. */
static void over(struct open_call *call, bool has_returned)
{
	bool is_open = !has_returned && ptl_calls_returns(calls, call->callee);
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

static struct open_call *take_ended(void)
{
	struct open_call *call = ended;

	ended = NULL;
	return call;
}

static void leave_call(void *of, struct ptl_thread *thread,
		       struct ptl_call *call, struct ptl_call *outer,
		       uint64_t at, enum ptl_call_end how)
{
	struct open_call *open = call->of[user.number];

	(void)of;
	(void)thread;
	(void)outer;
	(void)at;
	if (open == NULL)
		return;
	if (ended != NULL)
		over(take_ended(), true);
	if (how == PTL_CALL_RETURNED)
		ended = open;
	else
		over(open, how != PTL_CALL_LEFT);
}

void ptl_join_begin(struct ptl_text *new, struct ptl_model *model)
{
	text = new;
	calls = model->calls;
	nr_calls = 0;
	ended = NULL;
	ptl_out_init(&aside, -1, "", NULL);
	aside.take = take_too_much;
	ptl_held_init(text->out, show_full);
	user = (struct ptl_calls_user){.leave = leave_call};
	ptl_calls_add_user(calls, &user);
}

void ptl_join_end(void)
{
	ptl_calls_finish(calls);
	if (ended != NULL)
		over(take_ended(), true);
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
	if (view->context != NULL)
		ptl_text_context(text, view);
	ptl_out_char(text->out, '\n');
	ptl_text_stack(text, view);
	ptl_held_end(line);
	text->shown++;
}

/* Is its end expected? */
static bool is_awaited(uint64_t callee)
{
	return ptl_calls_returns(calls, callee) || nr_calls < CALLS_ENOUGH ||
	       ptl_calls_returns(calls, 0);
}

static struct open_call *new_call(const struct ptl_step *step)
{
	struct open_call *call = unused;

	if (call != NULL)
		unused = call->next;
	else
		call = ptl_alloc(sizeof(*call));
	*call = (struct open_call){
		.callee = step->moment.call->callee,
		.depth = text->depth,
		.is_doubtful = step->view->is_doubtful,
	};
	step->moment.call->of[user.number] = call;
	return call;
}

static void enter(const struct ptl_step *step, struct open_call *outer)
{
	const struct ptl_view *view = step->view;
	const struct ptl_call *begun = step->moment.call;
	struct open_call *call;

	nr_calls += nr_calls < CALLS_ENOUGH;
	if (begun == NULL || !is_awaited(begun->callee)) {
		if (!view->is_doubtful)
			put_line(view, NULL);
		return;
	}
	call = new_call(step);
	call->outer = outer;
	/* With --follow nothing waits; nor does what has no end of its own. */
	if (!text->look->is_following && !begun->is_tail)
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
	call->line = NULL;
	text->out = ptl_held_out();
}

/* Neither half was wanted. */
static void drop(struct open_call *call)
{
	if (call->line != NULL)
		drop_line(call);
	forget(call);
}

/* The end of a call has a line of its own if its begin could not wait for it,
 * or if there are lines between the two that --indent shows. */
static void leave(const struct ptl_step *step, const struct open_call *outer)
{
	const struct ptl_view *view = step->view;
	struct ptl_call *told = step->moment.is_told ? step->moment.call : NULL;
	struct open_call *call =
		told != NULL ? told->of[user.number] : take_ended();
	bool has_line = call != NULL && call->line != NULL;

	if (told != NULL)
		told->of[user.number] = NULL;
	if (view->is_doubtful && (call == NULL || call->is_doubtful)) {
		if (call != NULL)
			drop(call);
		return;
	}
	if (call != NULL) {
		text->depth = call->depth;
		text->closes = text->look->is_indented && told == NULL &&
			       !text->look->is_following &&
			       (call->has_inner || !has_line);
		if (call->outer != NULL)
			call->outer->has_inner = true;
	} else if (outer != NULL && told != NULL) {
		text->depth = outer->depth + 1;
	}
	if (has_line)
		finish(view, call);
	text->is_late = !has_line && told == NULL;
	if (!has_line || text->closes)
		put_line(view, NULL);
	/* A call is over when its time has come: what is inside of it is to
	 * come.
	 */
	if (told != NULL && text->look->is_indented && call == NULL)
		new_call(step);
	else if (told != NULL && text->look->is_indented)
		told->of[user.number] = call;
	else if (call != NULL)
		forget(call);
}

/* The innermost call that has a line. */
static struct open_call *outer_of(const struct ptl_step *step)
{
	const struct ptl_call *call = step->moment.outer;

	while (call != NULL && call->of[user.number] == NULL)
		call = ptl_calls_outer(step->moment.thread, call);
	return call != NULL ? call->of[user.number] : NULL;
}

void ptl_join_event(const struct ptl_step *step)
{
	const struct ptl_view *view = step->view;
	struct open_call *outer = NULL;

	text->closes = text->is_late = false;
	text->depth = 0;
	if (text->look->is_indented)
		outer = outer_of(step);
	if (step->kind->act == PTL_ACT_LEAVE) {
		leave(step, outer);
		return;
	}
	if (ended != NULL)
		over(take_ended(), true);
	if (outer != NULL) {
		text->depth = outer->depth + 1;
		outer->has_inner |= !view->is_doubtful;
	}
	if (step->kind->act == PTL_ACT_ENTER)
		enter(step, outer);
	else
		put_line(view, NULL);
}
