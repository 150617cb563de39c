/* SPDX-License-Identifier: MIT */
/* The text of --functions-list and --reach-list; see show.h. */
#include "tools/functions/show.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/lib/out.h"
#include "tools/lib/quote.h"
#include "tools/lib/say.h"
#include "tools/functions/select.h"
#include "tools/symbolize/demangle.h"

#define FIRST 3

static const char *const hows[PTL_PLAN_HOWS] = {
	[PTL_PLAN_NOT] = "-",		[PTL_PLAN_JUMP] = "jump",
	[PTL_PLAN_PADDING] = "padding", [PTL_PLAN_SHORT] = "short",
	[PTL_PLAN_INSIDE] = "jump", /* of the probe before it */
};

static void fail(const char *name, const char *why)
{
	ptl_say("%s: %s", name, why);
	exit(125);
}

static struct ptl_out *out(void)
{
	static struct ptl_out *stream;

	if (stream == NULL) {
		stream = ptl_alloc(sizeof(*stream));
		ptl_out_init(stream, STDOUT_FILENO, "standard output", fail);
	}
	return stream;
}

/* Names are foreign: whatever is in them, it is one line. */
static void put_name(const struct ptl_plan_function *function)
{
	char buf[32];
	const char *name = ptl_demangle(ptl_select_name(function, buf));

	ptl_quote_plain(out(), name, strlen(name));
}

static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	ptl_out_str(out(), text);
}

static void keep_first(const struct ptl_plan_function **first, size_t nr,
		       const struct ptl_plan_function *function)
{
	if (nr < FIRST)
		first[nr] = function;
}

void ptl_show_count(struct ptl_show_totals *totals,
		    const struct ptl_plan_function *function)
{
	unsigned int why = function->why, exit_why = function->exit_why;

	totals->nr++;
	if (why != PTL_PLAN_WHY_NOT) {
		keep_first(totals->first_refused[why], totals->refused[why]++,
			   function);
		return;
	}
	totals->how[function->entry.how]++;
	if (exit_why != PTL_PLAN_WHY_NOT)
		keep_first(totals->first_entry_only[exit_why],
			   totals->entry_only[exit_why]++, function);
	else
		totals->full++;
}

void ptl_show_head(void)
{
	put("%-18s %-8s %5s  %s\n", "ADDRESS", "ENTRY", "EXITS", "FUNCTION");
}

void ptl_show_function(const struct ptl_plan_function *function)
{
	bool is_refused = function->why != PTL_PLAN_WHY_NOT;
	bool is_entry_only = function->exit_why != PTL_PLAN_WHY_NOT;

	put("0x%016llx %-8s ", (unsigned long long)function->start,
	    is_refused ? "-" : hows[function->entry.how]);
	if (is_refused || is_entry_only)
		put("%5s  ", "-");
	else
		put("%5zu  ", function->nr_exits);
	put_name(function);
	if (is_refused)
		put(": refused: %s", ptl_plan_why(function->why));
	else if (is_entry_only)
		put(": entry only: %s", ptl_plan_why(function->exit_why));
	put("\n");
}

static void
put_reasons(const char *what, const size_t *nr,
	    const struct ptl_plan_function *first[PTL_PLAN_WHYS][FIRST])
{
	for (unsigned int why = 1; why < PTL_PLAN_WHYS; why++) {
		if (nr[why] == 0)
			continue;
		put("%8zu %s: %s: ", nr[why], what, ptl_plan_why(why));
		for (size_t i = 0; i < FIRST && i < nr[why]; i++) {
			put("%s", i > 0 ? ", " : "");
			put_name(first[why][i]);
		}
		put("%s\n", nr[why] > FIRST ? ", ..." : "");
	}
}

void ptl_show_totals(const struct ptl_plan *plan, const char *object,
		     const struct ptl_show_totals *totals)
{
	ptl_quote_plain(out(), object, strlen(object));
	put(": %zu function%s%s\n", totals->nr, totals->nr == 1 ? "" : "s",
	    plan->has_symbols ? "" :
				" (no symbols of local functions: these are "
				"named by their addresses)");
	if (totals->nr == 0)
		return;
	put("%8zu entry and exits\n", totals->full);
	put_reasons("entry only", totals->entry_only,
		    (void *)totals->first_entry_only);
	put_reasons("refused", totals->refused, (void *)totals->first_refused);
	put("         entries: %zu by a jump, %zu with padding, %zu by a short "
	    "jump\n",
	    totals->how[PTL_PLAN_JUMP], totals->how[PTL_PLAN_PADDING],
	    totals->how[PTL_PLAN_SHORT]);
}

/* ---- system calls ---------------------------------------------------- */

static const char *call_name(int32_t number)
{
	switch (number) {
#define CALL(nr, name) \
	case nr: \
		return #name;
#include "tools/functions/numbers.def"
#undef CALL
	case -1:
		return "?";
	default:
		return "-";
	}
}

/* Of what is moved, so many bytes are before the call, and behind it. */
static void show_site(const struct ptl_plan *plan,
		      const struct ptl_plan_site *site)
{
	const struct ptl_plan_place *place = &site->place;
	const struct ptl_plan_function *function = ptl_plan_in(plan, site->at);
	unsigned int before = (unsigned int)(site->at - place->at);
	char number[16] = "?";

	if (site->number >= 0)
		snprintf(number, sizeof(number), "%d", site->number);
	put("0x%016llx %6s %-18s ", (unsigned long long)site->at, number,
	    call_name(site->number));
	if (place->how == PTL_PLAN_NOT)
		put("%-8s %6s %6s  ", hows[place->how], "-", "-");
	else
		put("%-8s %6u %6u  ", hows[place->how], before,
		    place->size - before - 2);
	if (function != NULL)
		put_name(function);
	else
		put("-");
	if (place->how == PTL_PLAN_NOT)
		put(": refused: %s", ptl_plan_why(place->why));
	put("\n");
}

static void show_site_totals(const struct ptl_plan *plan, const char *object)
{
	size_t how[PTL_PLAN_HOWS] = {0}, why[PTL_PLAN_WHYS] = {0}, known = 0;

	for (size_t i = 0; i < plan->nr_sites; i++) {
		how[plan->site[i].place.how]++;
		why[plan->site[i].place.why]++;
		known += plan->site[i].number >= 0;
	}
	ptl_quote_plain(out(), object, strlen(object));
	put(": %zu system call%s, of %zu it is known which\n", plan->nr_sites,
	    plan->nr_sites == 1 ? "" : "s", known);
	if (plan->nr_sites == 0)
		return;
	put("%8zu by a jump, %zu with padding\n", how[PTL_PLAN_JUMP],
	    how[PTL_PLAN_PADDING]);
	for (unsigned int i = 1; i < PTL_PLAN_WHYS; i++)
		if (why[i] > 0)
			put("%8zu refused: %s\n", why[i], ptl_plan_why(i));
}

void ptl_show_sites(const struct ptl_plan *plan, const char *object)
{
	if (plan->nr_sites > 0)
		put("%-18s %6s %-18s %-8s %6s %6s  %s\n", "ADDRESS", "NUMBER",
		    "CALL", "PATCH", "BEFORE", "BEHIND", "FUNCTION");
	for (size_t i = 0; i < plan->nr_sites; i++)
		show_site(plan, &plan->site[i]);
	show_site_totals(plan, object);
}

/* ---- probes ---------------------------------------------------------- */

void ptl_show_probes_head(void)
{
	put("%-18s %-8s %-32s %s\n", "PLACE", "PATCH", "PROBE",
	    "FILE ARGUMENTS");
}

static void put_text(const char *text)
{
	ptl_quote_plain(out(), text, strlen(text));
}

/* As the note says them: "-4@%edi 8@%rsi". */
static void put_arguments(const struct ptl_note *note)
{
	if (*note->arguments != '\0')
		put(" ");
	put_text(note->arguments);
	for (size_t i = 0; i < note->nr_arguments; i++)
		if (note->unknown >> i & 1)
			put(": arg%zu is not understood", i + 1);
	if (note->has_more)
		put(": more than %d arguments", PTL_PATCH_ARGUMENTS);
}

static void show_probe(const char *object, const struct ptl_probe *probe)
{
	const struct ptl_note *note = probe->note;
	size_t size = strlen(note->provider) + 1 + strlen(note->name);
	bool is_refused = probe->place.how == PTL_PLAN_NOT;

	put("0x%016llx %-8s ", (unsigned long long)note->at,
	    hows[probe->place.how]);
	put_text(note->provider);
	put(":");
	put_text(note->name);
	put("%*s ", size < 32 ? (int)(32 - size) : 0, "");
	put_text(object);
	put_arguments(note);
	if (is_refused)
		put(": refused: %s", ptl_plan_why(probe->place.why));
	put("\n");
}

void ptl_show_probes(const struct ptl_plan *plan, const char *object,
		     const struct ptl_probes *probes)
{
	(void)plan;
	for (size_t i = 0; i < probes->nr; i++)
		show_probe(object, &probes->probe[i]);
}

void ptl_show_flush(void)
{
	ptl_out_flush(out());
}
