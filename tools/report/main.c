/* SPDX-License-Identifier: MIT */
/* ptrace-report: what logs say, in one page. */
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

#include "tools/lib/fault.h"
#include "tools/lib/say.h"
#include "tools/lib/stack.h"
#include "tools/page/html.h"
#include "tools/read/merge.h"
#include "tools/read/newest.h"
#include "tools/report/align.h"
#include "tools/model/view.h"
#include "tools/report/browser.h"
#include "tools/report/choices.h"
#include "tools/report/diff.h"
#include "tools/report/diff_story.h"
#include "tools/report/draw/dot.h"
#include "tools/report/draw/flame.h"
#include "tools/report/file.h"
#include "tools/report/page.h"
#include "tools/report/run.h"
#include "tools/report/sql.h"
#include "tools/report/show/screen.h"
#include "tools/symbolize/symbols.h"

/* The newest log, where none is named. */
static void choose_log(struct ptl_choices *choices)
{
	static char *path[1];

	if (choices->nr_paths > 0)
		return;
	path[0] = ptl_newest_log();
	choices->paths = path;
	choices->nr_paths = 1;
}

static void add_html(const struct ptl_choices *choices, struct ptl_run *run)
{
	for (size_t i = 0; ptl_report_views[i] != NULL; i++)
		ptl_run_add(run, ptl_report_views[i], &choices->settings);
	ptl_run_add(run, &ptl_report_timeline, &choices->settings);
}

static struct ptl_html html_of(const struct ptl_choices *choices,
			       struct ptl_run *run, void **view)
{
	struct ptl_html html = {
		.model = &run->model,
		.timeline = ptl_run_of(run, &ptl_report_timeline),
		.flame = ptl_run_of(run, &ptl_report_flame),
		.view = view,
		.page_size = choices->settings.page_size,
	};

	for (size_t i = 0; ptl_report_views[i] != NULL; i++)
		view[i] = ptl_run_of(run, ptl_report_views[i]);
	return html;
}

/* other: a log to be compared with, or NULL. */
static void write_html(const struct ptl_choices *choices, struct ptl_run *run,
		       struct ptl_run *other)
{
	static struct ptl_out out;
	void *view[PTL_RUN_VIEWS], *other_view[PTL_RUN_VIEWS];
	struct ptl_html html = html_of(choices, run, view), other_html;

	if (other != NULL) {
		other_html = html_of(choices, other, other_view);
		html.name = run->merge.source[0].path;
		other_html.name = choices->diff;
		html.other = &other_html;
	}
	ptl_report_file_open(&out, choices->html);
	ptl_html_write(&html, &out);
	ptl_report_file_close(&out);
}

/* Files that are made besides the page, or in place of it. */
static void write_files(const struct ptl_choices *choices, struct ptl_run *run)
{
	static struct ptl_out out;

	if (choices->flame != NULL) {
		ptl_report_file_open(&out, choices->flame);
		ptl_flame_write(ptl_run_of(run, &ptl_report_flame), &run->model,
				&out);
		ptl_report_file_close(&out);
	}
	if (choices->html != NULL)
		write_html(choices, run, NULL);
	if (choices->dot != NULL) {
		ptl_report_file_open(&out, choices->dot);
		ptl_dot_write(&run->model, &out);
		ptl_report_file_close(&out);
	}
}

/* Of the log and another one. */
static int show_diff(struct ptl_choices *choices, struct ptl_run *run,
		     int status)
{
	char *path[] = {(char *)(uintptr_t)choices->diff};
	struct ptl_run other;
	int other_status = PTL_EXIT_OK;

	ptl_run_open(&other, path, 1, &other_status);
	if (other.merge.nr_sources == 0)
		return other_status;
	if (!ptl_report_part_set(&choices->part, &other.merge, &other.filter))
		return PTL_EXIT_USAGE;
	ptl_run_add(&other, choices->view, &choices->settings);
	ptl_run_add(&other, &ptl_report_story, &choices->settings);
	ptl_run_read(&other);
	ptl_screen_open(choices->color);
	ptl_diff_show(run, &other, choices);
	ptl_screen_close();
	ptl_symfile_report(choices->is_verbose);
	ptl_run_close(run, &status);
	ptl_run_close(&other, &status);
	return status;
}

/* A page of the log, with what another one has more or less. */
static int write_comparison(struct ptl_choices *choices, struct ptl_run *run,
			    int status)
{
	char *path[] = {(char *)(uintptr_t)choices->diff};
	struct ptl_run other;
	int other_status = PTL_EXIT_OK;

	ptl_run_open(&other, path, 1, &other_status);
	if (other.merge.nr_sources == 0)
		return other_status;
	ptl_run_add(&other, &ptl_report_flame, &choices->settings);
	add_html(choices, &other);
	ptl_run_read(&other);
	write_html(choices, run, &other);
	ptl_symfile_report(choices->is_verbose);
	ptl_run_close(run, &status);
	ptl_run_close(&other, &status);
	return status;
}

/* Is only some time of the logs to be looked at?  See set_window() in run.c. */
static bool takes_some(const struct ptl_choices *choices)
{
	return (choices->part.since.time.is_set ||
		choices->part.until.time.is_set) &&
	       choices->part.since.where == NULL &&
	       choices->part.until.where == NULL &&
	       choices->view->learn == NULL && !choices->is_aligned;
}

static int report_logs(int argc, char **argv)
{
	struct ptl_choices choices;
	struct ptl_run run;
	int status = PTL_EXIT_OK;
	bool wants_page;

	ptl_say_as("ptrace-report");
	ptl_fault_die("ptrace-report", PTL_EXIT_DAMAGED);
	ptl_choices_parse(&choices, argc, argv);
	/* The reader of our output goes away, see out.h; a file is too large.
	 */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	choose_log(&choices);
	if (choices.sql != NULL)
		return ptl_report_sql(&choices);
	if (choices.wants_browser)
		return ptl_report_browse(&choices);
	if (takes_some(&choices))
		ptl_open_some();
	ptl_run_open(&run, choices.paths, choices.nr_paths, &status);
	if (run.merge.nr_sources == 0)
		return status;
	if (choices.is_aligned)
		ptl_report_align(&run.merge);
	if (!ptl_report_part_set(&choices.part, &run.merge, &run.filter))
		return PTL_EXIT_USAGE;
	wants_page = choices.is_view_given ||
		     (choices.flame == NULL && choices.dot == NULL &&
		      choices.html == NULL);
	if (wants_page)
		ptl_run_add(&run, choices.view, &choices.settings);
	if (choices.flame != NULL || choices.html != NULL)
		ptl_run_add(&run, &ptl_report_flame, &choices.settings);
	if (choices.html != NULL)
		add_html(&choices, &run);
	if (choices.diff != NULL && choices.html == NULL)
		ptl_run_add(&run, &ptl_report_story, &choices.settings);
	ptl_run_read(&run);
	if (choices.diff != NULL && choices.html != NULL)
		return write_comparison(&choices, &run, status);
	if (choices.diff != NULL)
		return show_diff(&choices, &run, status);
	write_files(&choices, &run);
	if (wants_page) {
		ptl_screen_open(choices.color);
		ptl_page_show(&run, &choices);
		ptl_screen_close();
	}
	ptl_symfile_report(choices.is_verbose);
	ptl_run_close(&run, &status);
	return status;
}

int main(int argc, char **argv)
{
	return ptl_stack_ensure(report_logs, argc, argv);
}
