/* SPDX-License-Identifier: MIT */
/* Crashes as lines and as JSON; see crashes.h. */
#include "tools/report/view/crashes.h"

#include <stdio.h>
#include <string.h>

#include "tools/lib/number.h"
#include "tools/lib/quote.h"
#include "tools/read/signals.h"
#include "tools/report/model/crashes.h"
#include "tools/report/show/json.h"
#include "tools/report/show/screen.h"

/* Crashes, and places of each, that are shown. */
#define FEW 5
#define PLACES 8
#define FRAMES_MAX 1024

#define TITLE "crashed: "

/* "SIGSEGV", or "signal 99". */
static const char *signal_of(const struct ptl_crash *crash, char buf[32])
{
	const char *name = ptl_signals_name(crash->signo);

	if (name == NULL) {
		snprintf(buf, 32, "signal %lld", (long long)crash->signo);
		name = buf;
	}
	return name;
}

/* One of a recursion for all of them. */
static size_t alike(const struct ptl_site *const *frame, size_t nr)
{
	size_t i = 1;

	while (i < nr && frame[i] == frame[0])
		i++;
	return i;
}

/* " at f (x.c:12), called from g (y.c:30) <- main (y.c:40)". */
static void print_frames(const struct ptl_crash *crash)
{
	const struct ptl_site *frame[FRAMES_MAX];
	size_t nr = ptl_crash_frames(crash, frame, FRAMES_MAX), shown = 0, n;

	if (nr > FRAMES_MAX)
		nr = FRAMES_MAX;
	for (size_t i = 0; i < nr; i += n, shown++) {
		ptl_line("%s", shown == 0 ? " at " :
			       shown == 1 ? ", called from " :
					    " ← ");
		if (shown == PLACES) {
			ptl_line("… %zu more", nr - i);
			return;
		}
		n = alike(frame + i, nr - i);
		ptl_line_name(frame[i]->name);
		if (n > 1)
			ptl_line(" ×%zu", n);
	}
}

/* False: where it was says it all. */
static bool print_why(const struct ptl_crash *crash)
{
	const char *code = ptl_signals_code(crash->signo, crash->code);
	const char *meaning = ptl_signals_meaning(crash->signo, crash->code);

	if (ptl_crash_is_uncaught(crash)) {
		ptl_line("uncaught exception ");
		ptl_line_name(crash->exception);
	} else if (crash->message != NULL) {
		ptl_line_name(crash->message);
	} else if (crash->has_address && code != NULL) {
		ptl_line("%s at 0x%llx%s%s", code,
			 (unsigned long long)crash->address,
			 meaning != NULL ? ": " : "",
			 meaning != NULL ? meaning : "");
	} else if (crash->sender > 0) {
		ptl_line("sent by process %lld", (long long)crash->sender);
	} else {
		return false;
	}
	return true;
}

static void print_crash(const struct ptl_crash *crash)
{
	char buf[32], time[PTL_NUMBER_SIZE];

	ptl_line_color(PTL_COLOR_RED);
	ptl_line(TITLE "%s", signal_of(crash, buf));
	ptl_line_color(PTL_COLOR_NONE);
	print_frames(crash);
	ptl_line_end();
	ptl_line_to(sizeof(TITLE) - 1);
	if (print_why(crash))
		ptl_line("   ");
	ptl_line_name(crash->program);
	ptl_line("[%d", (int)crash->process->pid);
	if (crash->tid != crash->process->pid)
		ptl_line("/%d", (int)crash->tid);
	ptl_line("] at %ss", ptl_number_time(time, crash->at));
	ptl_line_end();
}

void ptl_crashes_print(const struct ptl_model *model)
{
	const struct ptl_crashes *crashes = &model->crashes;

	for (size_t i = 0; i < crashes->nr && i < FEW; i++)
		print_crash(&crashes->crash[i]);
	if (crashes->nr > FEW) {
		ptl_line("%zu more crashes: --json", crashes->nr - FEW);
		ptl_line_end();
	}
}

static void put_stack(const struct ptl_crash *crash, struct ptl_out *out)
{
	const struct ptl_site *frame[FRAMES_MAX];
	size_t nr = ptl_crash_frames(crash, frame, FRAMES_MAX);

	ptl_json_key(out, "stack", false);
	ptl_out_char(out, '[');
	for (size_t i = 0; i < nr && i < FRAMES_MAX; i++) {
		if (i > 0)
			ptl_out_char(out, ',');
		ptl_quote_json(out, frame[i]->name, strlen(frame[i]->name));
	}
	ptl_out_char(out, ']');
}

static void put_crash(const struct ptl_crash *crash, struct ptl_out *out)
{
	const char *signal;
	char buf[32];

	ptl_out_char(out, '{');
	signal = signal_of(crash, buf);
	ptl_json_key(out, "signal", true);
	ptl_quote_json(out, signal, strlen(signal));
	ptl_json_text(out, "code", ptl_signals_code(crash->signo, crash->code));
	snprintf(buf, sizeof(buf), "0x%llx",
		 (unsigned long long)crash->address);
	ptl_json_text(out, "address", crash->has_address ? buf : NULL);
	ptl_json_text(out, "message", crash->message);
	ptl_json_text(out, "exception",
		      ptl_crash_is_uncaught(crash) ? crash->exception : NULL);
	ptl_json_text(out, "program", crash->program);
	ptl_json_number(out, "pid", crash->process->pid);
	ptl_json_number(out, "tid", crash->tid);
	ptl_json_maybe(out, "sender", crash->sender > 0 ? crash->sender : -1);
	ptl_json_number(out, "at", crash->at);
	put_stack(crash, out);
	ptl_out_char(out, '}');
}

void ptl_crashes_json(const struct ptl_model *model, struct ptl_out *out)
{
	const struct ptl_crashes *crashes = &model->crashes;

	ptl_json_key(out, "crashes", false);
	ptl_out_char(out, '[');
	for (size_t i = 0; i < crashes->nr; i++) {
		if (i > 0)
			ptl_out_char(out, ',');
		put_crash(&crashes->crash[i], out);
	}
	ptl_out_char(out, ']');
}
