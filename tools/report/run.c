/* SPDX-License-Identifier: MIT */
/* Logs read once, for some views at a time; see run.h. */
#include "tools/report/run.h"

#include "tools/read/hosts.h"
#include "tools/read/lacks.h"
#include "tools/report/model/crashes.h"
#include "tools/report/model/firings.h"

void ptl_run_open(struct ptl_run *run, char *const *paths, size_t nr,
		  int *status)
{
	*run = (struct ptl_run){0};
	ptl_merge_open(&run->merge, paths, nr, status);
	if (run->merge.nr_sources > 0)
		ptl_model_begin(&run->model, &run->merge, true);
}

void ptl_run_add(struct ptl_run *run, const struct ptl_report_view *view,
		 const struct ptl_report_settings *settings)
{
	run->view[run->nr_views].view = view;
	run->view[run->nr_views++].of = view->begin(settings, &run->model);
}

void *ptl_run_of(const struct ptl_run *run, const struct ptl_report_view *view)
{
	size_t i = 0;

	while (run->view[i].view != view)
		i++;
	return run->view[i].of;
}

/* So that not all of a large log is read, as far as that is not learned from.
 */
static void set_window(struct ptl_run *run)
{
	const struct ptl_filter *filter = &run->filter;
	bool has_since = filter->since.is_set;
	bool has_until = filter->until.is_set;

	for (size_t i = 0; i < run->nr_views; i++) {
		has_since &= run->view[i].view->learn == NULL;
		has_until &= !run->view[i].view->learns_later;
	}
	if (has_since || has_until)
		ptl_merge_window(&run->merge,
				 has_since ? &filter->since.time : NULL,
				 has_until ? &filter->until.time : NULL);
}

static void see(struct ptl_run *run, const struct ptl_step *step)
{
	if (step->kind->act == PTL_ACT_CRASH)
		ptl_crashes_learn(step);
	if (step->kind->act == PTL_ACT_TRIGGER)
		ptl_firings_learn(step);
	for (size_t i = 0; i < run->nr_views; i++)
		run->view[i].view->event(run->view[i].of, step);
}

static void see_other(struct ptl_run *run, const struct ptl_step *step)
{
	for (size_t i = 0; i < run->nr_views; i++)
		if (run->view[i].view->learn != NULL)
			run->view[i].view->learn(run->view[i].of, step);
}

void ptl_run_read(struct ptl_run *run)
{
	struct ptl_source *source = ptl_merge_next(&run->merge);
	struct ptl_step step;

	if (source != NULL) {
		ptl_filter_begin(&run->filter, &source->event.posix_timestamp);
		set_window(run);
	}
	for (; source != NULL; source = ptl_merge_next(&run->merge))
		if (ptl_model_event(&run->model, source, &run->filter, &step))
			see(run, &step);
		else
			see_other(run, &step);
	ptl_model_end(&run->model);
	ptl_model_clip(&run->model, &run->filter);
}

void ptl_run_close(struct ptl_run *run, int *status)
{
	for (size_t i = 0; i < run->nr_views; i++)
		run->view[i].view->free(run->view[i].of);
	ptl_hosts_say(run->merge.source, run->merge.nr_sources);
	if (ptl_lacks_say(&run->merge, false) != PTL_EXIT_OK)
		*status = PTL_EXIT_DAMAGED;
	ptl_model_free(&run->model);
	ptl_merge_close(&run->merge);
}
