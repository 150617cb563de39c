/* SPDX-License-Identifier: MIT */
/* Events that are no calls of libc; see text.h. */
#include <string.h>

#include "core/format/sysevents.h"
#include "tools/dump/text/text.h"
#include "tools/dump/text/text_color.h"
#include "tools/lib/number.h"
#include "tools/lib/quote.h"
#include "tools/lib/args/words.h"
#include "tools/model/modules.h"
#include "tools/read/signals.h"

typedef void put_function(struct ptl_text *text, const struct ptl_view *view);

static void put_str(struct ptl_text *text, const char *s)
{
	ptl_out_str(text->out, s);
}

/* A word of a command line; in quotes if a shell would need them. */
static void put_shell_word(struct ptl_text *text, const char *bytes,
			   size_t size, bool is_cut)
{
	ptl_quote_shell(text->out, bytes, size);
	if (is_cut) {
		ptl_text_color(text, PTL_TEXT_WAITED);
		ptl_out_str(text->out, text->dots);
		ptl_text_color(text, PTL_TEXT_PLAIN);
	}
}

/* The argument of that name that has bytes, or NULL.  A log may say of its
 * types what it likes. */
static const struct ptl_arg *find_bytes(const struct ptl_view *view,
					const char *name)
{
	const struct ptl_arg *arg = ptl_decode_find(&view->args, name);

	return arg != NULL && arg->bytes != NULL ? arg : NULL;
}

/* The string of that name, after `before'; false if there is none. */
static bool put_path(struct ptl_text *text, const struct ptl_view *view,
		     const char *name, const char *before)
{
	const struct ptl_arg *arg = find_bytes(view, name);

	if (arg == NULL || arg->size == 0)
		return false;
	put_str(text, before);
	put_shell_word(text, arg->bytes, arg->size, arg->is_cut);
	return true;
}

static void put_number(struct ptl_text *text, const struct ptl_view *view,
		       const char *name, const char *before)
{
	const struct ptl_arg *arg = ptl_decode_find(&view->args, name);

	if (arg == NULL)
		return;
	put_str(text, before);
	ptl_out_int(text->out, arg->value);
}

static void put_arrow(struct ptl_text *text)
{
	ptl_out_char(text->out, ' ');
	put_str(text, text->arrow);
	ptl_out_char(text->out, ' ');
}

static void put_signal(struct ptl_text *text, const struct ptl_view *view)
{
	const struct ptl_arg *name = find_bytes(view, "signame");

	if (name != NULL)
		ptl_out_bytes(text->out, name->bytes, name->size);
	else
		put_number(text, view, "signo", "signal ");
}

/* process */

static void put_start(struct ptl_text *text, const struct ptl_view *view)
{
	const struct ptl_arg *argv = ptl_decode_find(&view->args, "argv");
	struct ptl_arg word = {0};
	size_t at = 0;

	put_str(text, "start");
	if (argv == NULL || argv->type != PTL_ARG_STRINGS || argv->size == 0)
		put_path(text, view, "exe", " ");
	while (argv != NULL && argv->type == PTL_ARG_STRINGS &&
	       ptl_decode_next(argv, &at, &word)) {
		ptl_out_char(text->out, ' ');
		put_shell_word(text, word.bytes, word.size, word.is_cut);
	}
	if (put_path(text, view, "cwd", "   (cwd "))
		ptl_out_char(text->out, ')');
	if (!text->look->is_verbose)
		return;
	put_path(text, view, "exe", "  exe ");
	put_number(text, view, "ppid", "  ppid ");
	put_number(text, view, "uid", "  uid ");
}

static void put_fork(struct ptl_text *text, const struct ptl_view *view)
{
	put_str(text, "fork");
	put_arrow(text);
	put_number(text, view, "child", "");
	put_number(text, view, "nspid", " (there ");
	put_number(text, view, "pidns", "@");
	if (ptl_decode_find(&view->args, "nspid") != NULL)
		ptl_out_char(text->out, ')');
}

/* rank 3 of 16  (openmpi, job 1234) */
static void put_rank(struct ptl_text *text, const struct ptl_view *view)
{
	const struct ptl_arg *job = find_bytes(view, "job");

	put_number(text, view, "rank", "rank ");
	if (ptl_text_find(view, "size", -1) >= 0)
		put_number(text, view, "size", " of ");
	put_path(text, view, "launcher", "  (");
	if (job != NULL && job->size > 0)
		put_path(text, view, "job", ", job ");
	ptl_out_char(text->out, ')');
}

/* trigger 1, time 3: file:open matches 'path == "/x"'; mark so */
static void put_trigger(struct ptl_text *text, const struct ptl_view *view)
{
	put_number(text, view, "trigger", "trigger ");
	put_number(text, view, "firing", ", time ");
	put_path(text, view, "event", ": ");
	put_path(text, view, "when", " matches ");
	put_path(text, view, "do", "; ");
}

static void put_exec(struct ptl_text *text, const struct ptl_view *view)
{
	put_str(text, "exec");
	put_path(text, view, "path", " ");
}

static void put_exec_failed(struct ptl_text *text, const struct ptl_view *view)
{
	put_exec(text, view);
	put_str(text, " = -1 ");
	ptl_text_error(text, (int)ptl_text_find(view, "errno", 0));
}

static void put_us(struct ptl_text *text, const struct ptl_view *view,
		   const char *name, const char *before)
{
	int64_t us = ptl_text_find(view, name, -1);
	char buf[PTL_NUMBER_SIZE];

	if (us < 0)
		return;
	put_str(text, before);
	/* Of a damaged log it may be anything. */
	if (us > INT64_MAX / 1000)
		us = INT64_MAX / 1000;
	put_str(text, ptl_text_duration(text, us * 1000, buf));
}

static void put_exit(struct ptl_text *text, const struct ptl_view *view)
{
	int64_t status = ptl_text_find(view, "status", -1), rss;
	struct ptl_arg signal = {.name = "signo"};
	const char *name;

	signal.value = ptl_text_find(view, "signal", -1);
	if (signal.value >= 0) {
		name = ptl_signals_name(signal.value);
		ptl_text_color(text, PTL_TEXT_FAILED);
		put_str(text, signal.value > 0 ? "killed by " : "killed");
		if (name != NULL)
			put_str(text, name);
		else if (signal.value > 0)
			put_number(text, view, "signal", "signal ");
		ptl_text_color(text, PTL_TEXT_PLAIN);
	} else {
		put_str(text, "exit");
		ptl_text_color(text,
			       status > 0 ? PTL_TEXT_FAILED : PTL_TEXT_PLAIN);
		put_number(text, view, "status", " ");
		ptl_text_color(text, PTL_TEXT_PLAIN);
	}
	put_us(text, view, "user_us", "  user ");
	put_us(text, view, "sys_us", " sys ");
	rss = ptl_text_find(view, "maxrss_kib", -1);
	if (rss >= 0) {
		put_str(text, " rss ");
		ptl_text_size(text, (uint64_t)rss * 1024);
	}
}

static void put_untraced(struct ptl_text *text, const struct ptl_view *view)
{
	const struct ptl_arg *reason = find_bytes(view, "reason");

	ptl_text_color(text, PTL_TEXT_WAITED);
	put_str(text, "not traced");
	ptl_text_color(text, PTL_TEXT_PLAIN);
	put_path(text, view, "path", " ");
	if (reason == NULL)
		return;
	put_str(text, " (");
	ptl_quote_plain(text->out, reason->bytes, reason->size);
	ptl_out_char(text->out, ')');
}

/* thread */

/* The event's address is that of its first function, not of a call. */
static void put_thread(struct ptl_text *text, const struct ptl_view *view)
{
	struct ptl_callee first = ptl_modules_function(
		view->source->modules, view->event,
		(uintptr_t)view->event->posix_prog_address);

	put_str(text, "thread starts");
	if (first.function != NULL) {
		put_str(text, " in ");
		ptl_quote_plain(text->out, first.function,
				strlen(first.function));
	}
	if (text->look->is_verbose)
		put_number(text, view, "tid", "  tid ");
}

static void put_thread_exit(struct ptl_text *text, const struct ptl_view *view)
{
	(void)view;
	put_str(text, "thread ends");
}

static void put_thread_name(struct ptl_text *text, const struct ptl_view *view)
{
	const struct ptl_arg *name = find_bytes(view, "name");
	int64_t tid = ptl_text_find(view, "tid", 0);

	put_str(text, tid == PTL_NAMED_PROCESS ? "process named " : "named ");
	if (name != NULL)
		ptl_text_string(text, name->bytes, name->size, name->is_cut);
	if (tid != view->event->posix_tid_np)
		put_str(text, tid == 0 ? ", another thread" : "");
}

static void put_tag(struct ptl_text *text, const struct ptl_view *view)
{
	const struct ptl_arg *key = find_bytes(view, "key");
	const struct ptl_arg *value = find_bytes(view, "value");

	put_str(text, "tag ");
	if (key != NULL)
		ptl_quote_plain(text->out, key->bytes, key->size);
	put_str(text, "=");
	if (value != NULL)
		ptl_text_string(text, value->bytes, value->size, value->is_cut);
}

/* signal */

static void put_sent(struct ptl_text *text, const struct ptl_view *view)
{
	int64_t tid = ptl_text_find(view, "tid", 0);

	put_str(text, tid != 0 ? "tgkill(" : "kill(");
	put_number(text, view, "pid", "");
	if (tid != 0)
		put_number(text, view, "tid", ", ");
	put_str(text, ", ");
	if (ptl_text_find(view, "signo", 0) == 0)
		ptl_out_char(text->out, '0');
	else
		put_signal(text, view);
	ptl_out_char(text->out, ')');
}

static void put_not_sent(struct ptl_text *text, const struct ptl_view *view)
{
	put_sent(text, view);
	put_str(text, " = -1 ");
	ptl_text_error(text, (int)ptl_text_find(view, "errno", 0));
}

static void put_delivered(struct ptl_text *text, const struct ptl_view *view)
{
	const struct ptl_args *args = &view->args;
	const struct ptl_arg *function = find_bytes(view, "function");
	const struct ptl_arg *library = find_bytes(view, "library");
	const struct ptl_arg *fault = ptl_decode_find(args, "fault");

	put_str(text, "--- ");
	ptl_text_color(text, PTL_TEXT_WAITED);
	put_signal(text, view);
	ptl_text_color(text, PTL_TEXT_PLAIN);
	put_number(text, view, "pid", " from ");
	if (fault != NULL) {
		put_str(text, " at ");
		ptl_out_hex(text->out, (uint64_t)fault->value);
	}
	put_arrow(text);
	if (function != NULL)
		ptl_quote_plain(text->out, function->bytes, function->size);
	else if (library == NULL || text->look->is_verbose)
		ptl_out_hex(text->out,
			    (uint64_t)ptl_text_find(view, "handler", 0));
	else
		put_str(text, "handler");
	if (library != NULL) {
		put_str(text, " (");
		ptl_quote_plain(text->out, library->bytes, library->size);
		ptl_out_char(text->out, ')');
	}
	put_str(text, " ---");
}

/* Behind a comma, if there is something before it. */
static void put_between(struct ptl_text *text, bool *has_more)
{
	put_str(text, *has_more ? ", " : " (");
	*has_more = true;
}

/* Where it was is behind it. */
static void put_crash(struct ptl_text *text, const struct ptl_view *view)
{
	const struct ptl_arg *code = find_bytes(view, "codename");
	const struct ptl_arg *message = find_bytes(view, "message");
	const struct ptl_arg *exception = find_bytes(view, "exception");
	const struct ptl_arg *fault = ptl_decode_find(&view->args, "fault");
	bool has_more = false;

	ptl_text_color(text, PTL_TEXT_FAILED);
	put_str(text, "crashed by ");
	put_signal(text, view);
	ptl_text_color(text, PTL_TEXT_PLAIN);
	if (code != NULL) {
		put_between(text, &has_more);
		ptl_out_bytes(text->out, code->bytes, code->size);
	}
	if (fault != NULL) {
		put_between(text, &has_more);
		ptl_out_hex(text->out, (uint64_t)fault->value);
	}
	if (ptl_text_find(view, "pid", view->event->posix_pid) !=
	    view->event->posix_pid) {
		put_between(text, &has_more);
		put_number(text, view, "pid", "from ");
	}
	put_str(text, has_more ? ")" : "");
	if (exception != NULL) {
		put_str(text, " exception ");
		ptl_quote_plain(text->out, exception->bytes, exception->size);
	}
	if (message != NULL) {
		ptl_out_char(text->out, ' ');
		ptl_text_string(text, message->bytes, message->size,
				message->is_cut);
	}
}

/* What it counts for is mostly one, and where it was is behind it. */
static void put_sample(struct ptl_text *text, const struct ptl_view *view)
{
	put_str(text, "cpu:sample");
	if (ptl_text_find(view, "weight", 1) != 1)
		put_number(text, view, "weight", " weight=");
	if (ptl_text_find(view, "left", 0) > 0)
		put_number(text, view, "left", " frames left out: ");
}

/* How long it was off the processor stands before it. */
static void put_off(struct ptl_text *text, const struct ptl_view *view)
{
	put_str(text, "off the processor");
	if (ptl_text_find(view, "preempted", 0) != 0)
		put_str(text, ", though it could run");
	else if (view->event->posix_prog_address != NULL)
		put_str(text, ", for a page");
}

static void put_time(struct ptl_text *text, const struct ptl_view *view,
		     const char *name, const char *before)
{
	char buf[PTL_NUMBER_SIZE];

	put_str(text, before);
	put_str(text, ptl_number_duration(buf, ptl_text_find(view, name, 0)));
}

static void put_sums(struct ptl_text *text, const struct ptl_view *view)
{
	put_time(text, view, "on", "in all ");
	put_time(text, view, "off", " on the processor, ");
	put_number(text, view, "times", " off it, in times: ");
	if (ptl_text_find(view, "preempted", 0) > 0)
		put_time(text, view, "preempted", "; it could run for ");
	if (ptl_text_find(view, "unknown", 0) > 0)
		put_time(text, view, "unknown", "; not known: ");
}

static void put_waited(struct ptl_text *text, const struct ptl_view *view)
{
	put_str(text, "sigwait");
	put_arrow(text);
	put_signal(text, view);
	put_number(text, view, "pid", " from ");
}

/* dl */

static void put_map(struct ptl_text *text, const struct ptl_view *view)
{
	const struct ptl_arg *id = find_bytes(view, "build_id");

	put_str(text, view->type->kind->act == PTL_ACT_UNMAP ? "unmap" : "map");
	put_path(text, view, "path", " ");
	put_str(text, " at ");
	ptl_out_hex(text->out, (uint64_t)ptl_text_find(view, "base", 0));
	if (id == NULL || id->size == 0)
		return;
	put_str(text, " (build ");
	ptl_out_hexdump(text->out, id->bytes, id->size < 4 ? id->size : 4);
	ptl_out_char(text->out, ')');
}

/* call */

/* Of a C++ function's name without its parameters, whose values follow. */
static size_t size_of_name(const char *name, size_t size)
{
	static const char qualifier[] = " const";
	size_t at = size, room = sizeof(qualifier) - 1;
	int depth = 0;

	if (at > room && memcmp(name + at - room, qualifier, room) == 0)
		at -= room;
	if (at == 0 || name[at - 1] != ')')
		return size;
	while (at-- > 0) {
		depth += (name[at] == ')') - (name[at] == '(');
		if (depth == 0)
			break;
	}
	return depth == 0 && at > 0 ? at : size;
}

static void put_called(struct ptl_text *text, const struct ptl_view *view)
{
	const struct ptl_args *args = &view->args;
	const struct ptl_arg *function = find_bytes(view, "function");

	if (function != NULL)
		ptl_quote_plain(text->out, function->bytes,
				size_of_name(function->bytes, function->size));
	else
		ptl_out_hex(text->out,
			    (uint64_t)ptl_text_find(view, "callee", 0));
	ptl_out_char(text->out, '(');
	if (ptl_decode_find(args, "args") != NULL)
		ptl_text_value(text, view, ptl_decode_find(args, "args"));
	ptl_out_char(text->out, ')');
}

static void put_duration(struct ptl_text *text, const struct ptl_view *view,
			 const char *before, const char *name)
{
	char buf[PTL_NUMBER_SIZE];

	put_str(text, before);
	put_str(text,
		ptl_text_duration(text, ptl_text_find(view, name, 0), buf));
}

/* fib() 1 204 calls, 31ms (self 12ms), each 80ns to 2.1ms */
static void put_summary(struct ptl_text *text, const struct ptl_view *view)
{
	const struct ptl_arg *took = ptl_decode_find(&view->args, "took");
	int64_t calls = ptl_text_find(view, "calls", 0);

	if (ptl_text_find(view, "callee", 0) == 0)
		put_str(text, "[other]");
	else
		put_called(text, view);
	put_str(text, " ");
	ptl_text_count(text, (uint64_t)calls);
	put_str(text, calls == 1 ? " call" : " calls");
	for (unsigned int i = 0; took != NULL && i < ptl_counts_nr(took); i++) {
		if (ptl_counts_at(took, i) == 0)
			continue;
		put_duration(text, view, ", ", "total");
		put_duration(text, view, " (self ", "self");
		put_duration(text, view, "), each ", "min");
		put_duration(text, view, " to ", "max");
		break;
	}
}

void ptl_text_returned(struct ptl_text *text, const struct ptl_view *view)
{
	const struct ptl_arg *ret = ptl_decode_find(&view->args, "ret");

	if (ret == NULL)
		return;
	put_str(text, " = ");
	/* Of which nothing is known but the bits. */
	if (ret->type == PTL_ARG_HEX && (uint64_t)ret->value < 4096)
		ptl_out_int(text->out, ret->value);
	else
		ptl_text_value(text, view, ret);
}

/* A line of its own has the end of a call only if its begin has one, or none.
 */
static void put_returned(struct ptl_text *text, const struct ptl_view *view)
{
	if (text->closes)
		ptl_out_char(text->out, '}');
	else
		put_called(text, view);
	ptl_text_returned(text, view);
	if (text->is_late)
		ptl_text_began(text, view);
}

/* posix_trace */

static void put_lost(struct ptl_text *text, const struct ptl_view *view)
{
	ptl_text_color(text, PTL_TEXT_FAILED);
	put_str(text, text->dash);
	if (view->type->id == POSIX_TRACE_OVERFLOW && view->source->lost > 0) {
		ptl_out_char(text->out, ' ');
		ptl_text_count(text, view->source->lost);
	}
	put_str(text, view->type->id == POSIX_TRACE_OVERFLOW ?
			      " events lost from here on " :
			      " recorded again from here on ");
	put_str(text, text->dash);
	ptl_text_color(text, PTL_TEXT_PLAIN);
}

/* By act; the others have their fields. */
static const struct row {
	put_function *put;
	bool is_noise; /* says nothing of what the program does */
} rows[PTL_ACTS] = {
	[PTL_ACT_TRACE_START] = {ptl_text_fields, true},
	[PTL_ACT_TRACE_STOP] = {ptl_text_fields, true},
	[PTL_ACT_TRACE_FILTER] = {ptl_text_fields, true},
	[PTL_ACT_TRACE_FLUSH] = {ptl_text_fields, true},
	[PTL_ACT_TRIGGER] = {put_trigger, false},
	[PTL_ACT_OVERFLOW] = {put_lost, false},
	[PTL_ACT_RESUME] = {put_lost, false},
	[PTL_ACT_START] = {put_start, false},
	[PTL_ACT_PROGRAM] = {ptl_text_fields, true},
	[PTL_ACT_RANK] = {put_rank, false},
	[PTL_ACT_FORK] = {put_fork, false},
	[PTL_ACT_EXEC] = {put_exec, false},
	[PTL_ACT_EXEC_FAILED] = {put_exec_failed, false},
	[PTL_ACT_EXIT] = {put_exit, false},
	[PTL_ACT_UNTRACED] = {put_untraced, false},
	[PTL_ACT_THREAD_START] = {put_thread, false},
	[PTL_ACT_THREAD_NAME] = {put_thread_name, false},
	[PTL_ACT_TAG] = {put_tag, false},
	[PTL_ACT_THREAD_EXIT] = {put_thread_exit, false},
	[PTL_ACT_MAP] = {put_map, true},
	[PTL_ACT_UNMAP] = {put_map, true},
	[PTL_ACT_SIGNAL_SEND] = {put_sent, false},
	[PTL_ACT_SIGNAL_NOT_SENT] = {put_not_sent, false},
	[PTL_ACT_SIGNAL_DELIVER] = {put_delivered, false},
	[PTL_ACT_SIGNAL_WAIT] = {put_waited, false},
	[PTL_ACT_CRASH] = {put_crash, false},
	[PTL_ACT_CPU_SAMPLE] = {put_sample, false},
	[PTL_ACT_CPU_SYMBOL] = {ptl_text_fields, true},
	[PTL_ACT_SCHED_OFF] = {put_off, false},
	[PTL_ACT_SCHED_SUM] = {put_sums, false},
	[PTL_ACT_SYMBOL] = {ptl_text_fields, true},
	[PTL_ACT_HOOKS] = {ptl_text_fields, true},
	[PTL_ACT_ENTER] = {put_called, false},
	[PTL_ACT_ENTRY] = {put_called, false},
	[PTL_ACT_LEAVE] = {put_returned, false},
	[PTL_ACT_SUMMARY] = {put_summary, false},
	[PTL_ACT_SPAN_BEGIN] = {ptl_text_span, false},
	[PTL_ACT_SPAN_END] = {ptl_text_span, false},
	[PTL_ACT_SPAN_LINK] = {ptl_text_span_link, false},
};

static const struct row *row_of(const struct ptl_type *type)
{
	static const struct row other = {ptl_text_fields, false};
	const struct row *row = &rows[type->kind->act];

	return row->put != NULL ? row : &other;
}

/* Of a process of which nothing is known, an exec says what its start will:
 * so begins the first process of a trace. */
bool ptl_text_has_place(const struct ptl_view *view)
{
	return view->event->posix_prog_address != NULL &&
	       row_of(view->type)->put != put_thread;
}

bool ptl_text_is_noise(const struct ptl_view *view)
{
	const struct row *row = row_of(view->type);

	return row->is_noise || (row->put == put_exec && view->program == NULL);
}

/* Something is missing, and no string has said so. */
static bool lacks_more(const struct ptl_view *view)
{
	unsigned int nr = view->args.nr;

	return view->event->posix_truncation_status !=
		       POSIX_TRACE_NOT_TRUNCATED ||
	       (view->is_short && (nr == 0 || !view->args.arg[nr - 1].is_cut));
}

void ptl_text_event(struct ptl_text *text, const struct ptl_view *view)
{
	if (!ptl_text_call(text, view))
		row_of(view->type)->put(text, view);
	if (lacks_more(view)) {
		ptl_text_color(text, PTL_TEXT_WAITED);
		put_str(text, " [cut]");
		ptl_text_color(text, PTL_TEXT_PLAIN);
	}
}
