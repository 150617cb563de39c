/* SPDX-License-Identifier: MIT */
/* The logs read for what is looked at; see reading.h. */
#include "tools/report/browse/reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/clock.h"
#include "tools/lib/number.h"
#include "tools/lib/say.h"
#include "tools/report/browse/terminal.h"
#include "tools/report/model/crashes.h"
#include "tools/report/model/firings.h"

/* Rows of a table: who wants more than these asks for it by ptrace-report. */
#define ROWS_MAX 20000

/* Events between two looks at the clock. */
#define SLICE 4096
#define SHOWN_AFTER_NS 300000000
#define SHOWN_EVERY_NS 200000000

/* While it is read. */
struct progress {
	uint64_t next; /* when it is shown again */
	uint64_t events;
};

bool ptl_scope_has(const struct ptl_scope *scope,
		   const struct ptl_process *process)
{
	if (scope->is_all)
		return true;
	while (process != NULL && process->number != scope->process)
		process = scope->with_children ? process->parent : NULL;
	return process != NULL;
}

static void show_progress(uint64_t events)
{
	char line[128], count[PTL_NUMBER_SIZE];
	int size = snprintf(line, sizeof(line), "reading: %s events  (q: stop)",
			    ptl_number_count(count, (int64_t)events));

	ptl_terminal_put(ptl_terminal_rows() - 1, line, (size_t)size,
			 PTL_STYLE_BAR);
	ptl_terminal_show(SIZE_MAX, 0);
}

/* Does the user still want it? */
static bool goes_on(struct progress *progress)
{
	uint64_t now;

	if (++progress->events % SLICE != 0)
		return true;
	now = ptl_monotonic_ns();
	if (progress->next == 0)
		progress->next = now + SHOWN_AFTER_NS;
	if (now < progress->next)
		return true;
	progress->next = now + SHOWN_EVERY_NS;
	show_progress(progress->events);
	return !ptl_terminal_is_broken_off();
}

static bool is_wanted(const struct ptl_scope *scope,
		      const struct ptl_step *step,
		      const struct ptl_browse_reading *before)
{
	const struct ptl_process *process = step->process;

	if (scope->is_all)
		return true;
	if (process == NULL || step->thread == NULL ||
	    (scope->tid != 0 && step->thread->tid != scope->tid))
		return false;
	if (before != NULL && process->number < before->nr_processes)
		process = before->process[process->number];
	return ptl_scope_has(scope, process);
}

/* Of a single process the model can be spared the names of all others. */
static void narrow(struct ptl_filter *filter, const struct ptl_scope *scope,
		   const struct ptl_browse_reading *before)
{
	const struct ptl_process *process;
	char text[64];

	if (scope->is_all || scope->with_children || before == NULL ||
	    scope->process >= before->nr_processes)
		return;
	process = before->process[scope->process];
	snprintf(text, sizeof(text), "%d@%u", process->pid, process->pidns);
	ptl_filter_add_number(&filter->pids, text);
}

/* Times count from the first event. */
static void begin_times(struct ptl_filter *filter,
			const struct ptl_merge *merge)
{
	const struct timespec *first = NULL;

	for (size_t i = 0; i < merge->nr_sources; i++) {
		const struct timespec *time =
			&merge->source[i].event.posix_timestamp;

		if (merge->source[i].has_event &&
		    (first == NULL || ptl_ns(time) < ptl_ns(first)))
			first = time;
	}
	if (first != NULL)
		ptl_filter_begin(filter, first);
}

static void read_all(struct ptl_browse_reading *reading,
		     const struct ptl_scope *scope, struct ptl_filter *filter,
		     const struct ptl_browse_reading *before)
{
	struct progress progress = {0};
	struct ptl_source *source;
	struct ptl_step step;

	while (!reading->is_broken_off &&
	       (source = ptl_merge_next(&reading->merge)) != NULL) {
		reading->is_broken_off = !goes_on(&progress);
		if (!ptl_model_event(&reading->model, source, filter, &step) ||
		    !is_wanted(scope, &step, before))
			continue;
		reading->events++;
		if (step.kind->act == PTL_ACT_CRASH)
			ptl_crashes_learn(&step);
		if (step.kind->act == PTL_ACT_TRIGGER)
			ptl_firings_learn(&step);
		for (size_t i = 0; i < reading->nr_views; i++)
			reading->view[i].view->event(reading->view[i].of,
						     &step);
	}
	ptl_model_end(&reading->model);
}

static void list_processes(struct ptl_browse_reading *reading)
{
	struct ptl_process *process =
		ptl_processes_first(reading->model.processes);

	reading->nr_processes = ptl_processes_nr(reading->model.processes);
	reading->process =
		ptl_alloc((reading->nr_processes + 1) * sizeof(process));
	for (; process != NULL; process = process->next)
		if (process->number < reading->nr_processes)
			reading->process[process->number] = process;
}

static void make_tables(struct ptl_browse_reading *reading)
{
	for (size_t i = 0; i < reading->nr_views; i++) {
		struct ptl_reading_view *one = &reading->view[i];

		ptl_table_begin(&one->table, one->view->column);
		one->table.top = ROWS_MAX;
		one->table.is_narrow = true;
		one->table.all_by = "ptrace-report shows them";
		one->view->rows(one->of, &reading->model, &one->table);
		ptl_table_sort(&one->table, one->view->sort, ROWS_MAX);
	}
}

struct ptl_browse_reading *
ptl_reading_new(const struct ptl_merge *open,
		const struct ptl_report_view *const *views,
		const struct ptl_scope *scope, const struct ptl_filter *filter,
		const struct ptl_browse_reading *before)
{
	const struct ptl_report_settings settings = {.wants_callers = true};
	struct ptl_browse_reading *reading = ptl_alloc(sizeof(*reading));
	struct ptl_filter narrowed = *filter;

	if (!ptl_merge_again(&reading->merge, open, SIZE_MAX)) {
		free(reading);
		return NULL;
	}
	ptl_model_begin(&reading->model, &reading->merge, true);
	begin_times(&narrowed, &reading->merge);
	narrow(&narrowed, scope, before);
	for (; *views != NULL; views++) {
		struct ptl_reading_view *one =
			&reading->view[reading->nr_views++];

		one->view = *views;
		one->of = (*views)->begin(&settings, &reading->model);
	}
	read_all(reading, scope, &narrowed, before);
	free(narrowed.pids.number);
	list_processes(reading);
	make_tables(reading);
	return reading;
}

void ptl_reading_free(struct ptl_browse_reading *reading)
{
	for (size_t i = 0; i < reading->nr_views; i++) {
		ptl_table_free(&reading->view[i].table);
		reading->view[i].view->free(reading->view[i].of);
	}
	free(reading->process);
	ptl_model_free(&reading->model);
	ptl_merge_end_again(&reading->merge);
	free(reading);
}
