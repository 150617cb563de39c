/* SPDX-License-Identifier: MIT */
/* What is missing in the logs; see notes.h. */
#include "tools/report/view/notes.h"

#include <string.h>

#include "tools/lib/quote.h"
#include "tools/report/view/crashes.h"
#include "tools/report/view/firings.h"
#include "tools/report/show/json.h"
#include "tools/lib/number.h"
#include "tools/report/show/screen.h"

/* Programs that are named. */
#define UNTRACED_MAX 5

/* The first process, which the others come from; NULL: there is none. */
static const struct ptl_process *find_root(const struct ptl_model *model)
{
	const struct ptl_process *process =
		ptl_processes_first_traced(model->processes);

	while (process != NULL && process->parent != NULL)
		process = process->parent;
	return process;
}

/* What was started, which may have executed another program since. */
static const char *first_program(const struct ptl_process *root)
{
	return root->image != NULL ? root->image->program :
				     ptl_process_program(root);
}

static const char *first_arguments(const struct ptl_process *root)
{
	return root->image != NULL ? root->image->arguments : "";
}

/* The sum of the processes, ns; -1 if none is known.  *is_least: of some it is
 * not. */
static int64_t sum_cpu(const struct ptl_model *model, bool *is_least)
{
	const struct ptl_process *process =
		ptl_processes_first_traced(model->processes);
	int64_t sum = -1;

	*is_least = false;
	for (; process != NULL; process = ptl_process_next_traced(process)) {
		int64_t cpu = ptl_process_cpu(process);

		if (cpu < 0)
			*is_least = true;
		else
			sum = cpu + (sum < 0 ? 0 : sum);
	}
	return sum;
}

static const char *count(uint64_t nr)
{
	static char buf[4][PTL_NUMBER_SIZE];
	static unsigned int turn;

	return ptl_number_count(buf[++turn % 4], (int64_t)nr);
}

static const char *plural(uint64_t nr)
{
	return nr == 1 ? "" : "s";
}

static void put_times(const struct ptl_model *model)
{
	char buf[PTL_NUMBER_SIZE];
	bool is_least;
	int64_t cpu = sum_cpu(model, &is_least);

	ptl_line("%s %s", ptl_number_duration(buf, ptl_model_wall(model)),
		 model->stopped_at < 0 ? "wall" :
					 "until recording stopped by itself");
	if (cpu < 0) {
		ptl_line("   — CPU");
		return;
	}
	ptl_line("   %s%s CPU", is_least ? "≥" : "",
		 ptl_number_duration(buf, cpu));
	if (ptl_model_wall(model) > 0)
		ptl_line(" (%.2f at a time)",
			 (double)cpu / (double)ptl_model_wall(model));
}

/* Walks the logs to the first one of the next host; NULL: there is none. */
static const struct ptl_source *next_host(const struct ptl_merge *merge,
					  const struct ptl_source *source)
{
	const struct ptl_source *end = merge->source + merge->nr_sources;

	for (source = source == NULL ? merge->source : source + 1; source < end;
	     source++) {
		if (source->owns_host_name)
			return source;
	}
	return NULL;
}

static size_t count_hosts(const struct ptl_merge *merge)
{
	const struct ptl_source *source = NULL;
	size_t nr = 0;

	while ((source = next_host(merge, source)) != NULL)
		nr++;
	return nr;
}

/* Of the logs not all was wanted. */
static void put_part(const struct ptl_model *model)
{
	char from[PTL_NUMBER_SIZE], to[PTL_NUMBER_SIZE];

	if (!model->is_partial)
		return;
	ptl_line("from %ss to %ss of it: calls that began then, processes as "
		 "far as they lived then",
		 ptl_number_time(from, model->begin),
		 ptl_number_time(to, model->last));
	ptl_line_end();
}

void ptl_notes_title(const struct ptl_model *model)
{
	const struct ptl_process *root = find_root(model);
	size_t nr = ptl_processes_traced(model->processes);
	size_t hosts = count_hosts(model->merge);
	const char *least =
		model->lost > 0 || model->is_lost_unknown ? "≥" : "";

	ptl_line_color(PTL_COLOR_BOLD);
	if (root != NULL) {
		ptl_line_name(first_program(root));
		if (*first_arguments(root) != '\0') {
			ptl_line(" ");
			ptl_line_name(first_arguments(root));
		}
	} else {
		ptl_line("(no process)");
	}
	ptl_line_color(PTL_COLOR_NONE);
	ptl_line_end();
	put_times(model);
	ptl_line("   %s process%s", count(nr), nr == 1 ? "" : "es");
	if (hosts > 1)
		ptl_line(" of %zu hosts", hosts);
	ptl_line("   %s%s event%s", least, count(model->wanted),
		 plural(model->wanted));
	ptl_line_end();
	put_part(model);
}

static void note_lost(const struct ptl_model *model)
{
	char buf[PTL_NUMBER_SIZE];

	if (model->lost == 0 && !model->is_lost_unknown)
		return;
	ptl_line_color(PTL_COLOR_YELLOW);
	if (model->lost > 0)
		ptl_line("lost %s event%s", count(model->lost),
			 plural(model->lost));
	else
		ptl_line("lost events: not known how many, for the log is "
			 "incomplete");
	if (model->lost_at >= 0)
		ptl_line(", the first at %ss",
			 ptl_number_time(buf, model->lost_at));
	if (model->is_orphaned)
		ptl_line(", since the controller was killed");
	if (model->lost > 0)
		ptl_line(": counts and sums are at least what is shown");
	ptl_line_end();
}

/* No loss: it was asked for. */
static void note_unselected(const struct ptl_model *model)
{
	if (model->unselected == 0)
		return;
	ptl_line("left out %s call%s where they were recorded (--path, --fd, "
		 "--failed, --slower): counts and sums are of the others",
		 count(model->unselected), plural(model->unselected));
	ptl_line_end();
}

static void note_hot(const struct ptl_model *model)
{
	if (model->hot == 0)
		return;
	ptl_line("recorded in part: %s function%s that %s called too often "
		 "(--hot), named by --calls: counts and sums are at least what "
		 "is shown",
		 count(model->hot), plural(model->hot),
		 model->hot == 1 ? "was" : "were");
	ptl_line_end();
}

static void note_untraced(const struct ptl_model *model)
{
	const struct ptl_skipped *untraced = NULL;
	size_t nr = 0;

	while ((untraced = ptl_hash_next(&model->untraced, untraced)) != NULL) {
		if (nr++ == UNTRACED_MAX) {
			ptl_line("not traced: %s more programs: --json",
				 count(model->untraced.nr - UNTRACED_MAX));
			ptl_line_end();
			break;
		}
		ptl_line("not traced: ");
		ptl_line_name(untraced->path != NULL ? untraced->path : "?");
		ptl_line(" (");
		ptl_line_name(untraced->reason != NULL ? untraced->reason :
							 "?");
		ptl_line(")");
		if (untraced->nr > 1)
			ptl_line(" ×%s", count(untraced->nr));
		ptl_line_end();
	}
}

/* Processes that have not ended, as far as is known. */
static uint64_t nr_open(const struct ptl_model *model)
{
	const struct ptl_process *process =
		ptl_processes_first_traced(model->processes);
	uint64_t nr = 0;

	for (; process != NULL; process = ptl_process_next_traced(process))
		nr += process->is_sure && !process->is_ended;
	return nr;
}

static void note_open(const struct ptl_model *model)
{
	uint64_t processes = nr_open(model), calls = model->open_calls;

	if (processes == 0 && calls == 0)
		return;
	ptl_line("%s: ",
		 model->is_partial ? "no end in that time" : "no end seen");
	if (processes > 0)
		ptl_line("%s process%s", count(processes),
			 processes == 1 ? "" : "es");
	if (calls > 0)
		ptl_line("%s%s call%s", processes > 0 ? ", " : "", count(calls),
			 plural(calls));
	ptl_line_end();
}

static bool is_any_there(const struct ptl_model *model,
			 const struct ptl_report_view *view)
{
	for (const enum ptl_family *family = view->needs; *family != 0;
	     family++)
		if (!ptl_model_lacks(model, *family))
			return true;
	return false;
}

/* The families that a view needs and that are missing; were there any? */
static bool put_lacking(const struct ptl_model *model,
			const struct ptl_report_view *view, const char *before,
			const char *between)
{
	bool is_any = false;

	for (const enum ptl_family *family = view->needs; *family != 0;
	     family++) {
		if (!ptl_model_lacks(model, *family))
			continue;
		ptl_line("%s%s", is_any ? between : before,
			 ptl_family_name(*family));
		is_any = true;
	}
	return is_any;
}

/* Of a view that needs some families: which are missing. */
static void note_families(const struct ptl_model *model,
			  const struct ptl_report_view *view)
{
	if (view->takes_any && is_any_there(model, view))
		return;
	if (put_lacking(model, view, "families not recorded: ", " ")) {
		put_lacking(model, view, "  (ptrace-run -e +", ",");
		ptl_line(")");
		ptl_line_end();
	}
}

/* Parents of the killed know the times of wait4(2). */
static void note_killed(const struct ptl_model *model)
{
	const struct ptl_process *process =
		ptl_processes_first_traced(model->processes);

	for (; process != NULL; process = ptl_process_next_traced(process)) {
		if (process->signal <= 0 || process->child == NULL ||
		    ptl_process_cpu(process) < 0)
			continue;
		ptl_line("CPU of a killed process includes that of the "
			 "children it had waited for");
		ptl_line_end();
		return;
	}
}

void ptl_notes_missing(const struct ptl_model *model,
		       const struct ptl_report_view *view)
{
	note_lost(model);
	note_unselected(model);
	note_hot(model);
	note_untraced(model);
	note_open(model);
	note_killed(model);
	note_families(model, view);
	if (model->is_incomplete) {
		ptl_line_color(PTL_COLOR_YELLOW);
		ptl_line("log incomplete: what follows in time is missing, see "
			 "the message");
		ptl_line_end();
	}
}

static void put_hosts(const struct ptl_merge *merge, struct ptl_out *out)
{
	const struct ptl_source *source = NULL;
	char before = '[';

	ptl_json_key(out, "hosts", false);
	while ((source = next_host(merge, source)) != NULL) {
		ptl_out_char(out, before);
		ptl_quote_json(out, source->host_name,
			       strlen(source->host_name));
		before = ',';
	}
	ptl_out_char(out, ']');
}

static void put_untraced(const struct ptl_model *model, struct ptl_out *out)
{
	const struct ptl_skipped *untraced = NULL;
	bool is_first = true;

	ptl_json_key(out, "untraced", false);
	ptl_out_char(out, '[');
	while ((untraced = ptl_hash_next(&model->untraced, untraced)) != NULL) {
		ptl_out_str(out, is_first ? "{" : ",{");
		ptl_json_key(out, "count", true);
		ptl_out_uint(out, untraced->nr);
		ptl_json_text(out, "path", untraced->path);
		ptl_json_text(out, "reason", untraced->reason);
		ptl_out_char(out, '}');
		is_first = false;
	}
	ptl_out_char(out, ']');
}

static void put_families(const struct ptl_model *model,
			 const struct ptl_report_view *view,
			 struct ptl_out *out)
{
	bool is_first = true;

	ptl_json_key(out, "not_recorded", false);
	if (!model->is_filter_known) {
		ptl_out_str(out, "null");
		return;
	}
	ptl_out_char(out, '[');
	for (const enum ptl_family *family = view->needs; *family != 0;
	     family++) {
		if (!ptl_model_lacks(model, *family))
			continue;
		ptl_out_str(out, is_first ? "\"" : ",\"");
		ptl_out_str(out, ptl_family_name(*family));
		ptl_out_char(out, '"');
		is_first = false;
	}
	ptl_out_char(out, ']');
}

void ptl_notes_json(const struct ptl_model *model,
		    const struct ptl_report_view *view, struct ptl_out *out)
{
	const struct ptl_process *root = find_root(model);
	bool is_least;
	int64_t cpu = sum_cpu(model, &is_least);

	ptl_json_key(out, "view", true);
	ptl_out_char(out, '"');
	ptl_out_str(out, view->name != NULL ? view->name : "default");
	ptl_out_char(out, '"');
	ptl_json_text(out, "program",
		      root != NULL ? first_program(root) : NULL);
	ptl_json_text(out, "arguments",
		      root != NULL && root->image != NULL ?
			      first_arguments(root) :
			      NULL);
	ptl_json_number(out, "wall", ptl_model_wall(model));
	if (model->is_partial) {
		ptl_json_number(out, "since", model->begin);
		ptl_json_number(out, "until", model->last);
	}
	ptl_json_maybe(out, "cpu", cpu);
	ptl_json_key(out, "cpu_is_least", false);
	ptl_out_str(out, is_least ? "true" : "false");
	ptl_json_number(out, "processes",
			(int64_t)ptl_processes_traced(model->processes));
	put_hosts(model->merge, out);
	ptl_json_number(out, "events", (int64_t)model->wanted);
	ptl_json_maybe(out, "lost",
		       model->is_lost_unknown ? -1 : (int64_t)model->lost);
	ptl_json_number(out, "left_out", (int64_t)model->unselected);
	ptl_json_number(out, "recorded_in_part", (int64_t)model->hot);
	ptl_json_maybe(out, "lost_at", model->lost_at);
	ptl_json_maybe(out, "stopped", model->stopped_at);
	put_untraced(model, out);
	ptl_crashes_json(model, out);
	ptl_firings_json(model, out);
	ptl_json_number(out, "no_end_processes", (int64_t)nr_open(model));
	ptl_json_number(out, "no_end_calls", (int64_t)model->open_calls);
	put_families(model, view, out);
	ptl_json_key(out, "is_complete", false);
	ptl_out_str(out, model->is_incomplete ? "false" : "true");
}
