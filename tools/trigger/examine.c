/* SPDX-License-Identifier: MIT */
/*
 * See examine.h.  A log that grows is read on; of memory there is a copy at
 * each look, which has much of the one before: of it the events that are later
 * than all of that are looked at.
 */
#include "tools/trigger/examine.h"

#include "core/format/sysevents.h"
#include "tools/lib/clock.h"
#include "tools/read/filter/where.h"
#include "tools/read/filter/where_may.h"

/* Of one look. */
#define EVENTS_MAX 100000

static bool open_log(struct ptl_examined *examined)
{
	char *path = (char *)(uintptr_t)examined->path;
	int status = 0;

	ptl_merge_open(&examined->merge, &path, 1, &status);
	if (examined->merge.nr_sources == 0) {
		ptl_merge_close(&examined->merge);
		return false;
	}
	ptl_model_begin(&examined->model, &examined->merge, true);
	examined->filter = (struct ptl_filter){0};
	examined->before = examined->until;
	examined->is_open = true;
	return true;
}

static void close_log(struct ptl_examined *examined)
{
	ptl_model_free(&examined->model);
	ptl_merge_close(&examined->merge);
	examined->is_open = false;
}

/* Which types can match is asked once of each. */
static void judge_type(const struct ptl_examined *examined,
		       struct ptl_source *source)
{
	struct ptl_type *type =
		ptl_source_type(source, source->event.posix_event_id);

	if (type->wanted >= 0)
		return;
	type->wanted = 0;
	for (size_t i = 0; i < examined->nr && !type->wanted; i++)
		type->wanted = ptl_where_may_match(examined->where[i],
						   type->name, NULL);
}

/* What the controller records itself is no news to it. */
static bool is_own(const struct ptl_examined *examined,
		   const struct ptl_step *step)
{
	const struct posix_trace_event_info *event = step->view->event;

	return step->kind->family == PTL_FAMILY_TRACE ||
	       step->view->type->id == PTL_EV_TRACE_TRIGGER ||
	       (event->posix_pid == examined->controller &&
		event->posix_pidns_np == 0);
}

static void ask(struct ptl_examined *examined, const struct ptl_step *step)
{
	struct ptl_where_event event;

	ptl_view_ask(step->view, &event);
	event.since_first = step->now;
	for (size_t i = 0; i < examined->nr; i++)
		if (ptl_where_matches(examined->where[i], &event)) {
			examined->held.fired++;
			examined->fired(examined->to, i, step);
		}
}

static void examine_event(struct ptl_examined *examined,
			  struct ptl_source *source)
{
	uint64_t when = ptl_ns(&source->event.posix_timestamp);
	bool is_old = examined->passes_over && when <= examined->before;
	struct ptl_step step;

	judge_type(examined, source);
	if (source->event.posix_event_id > POSIX_TRACE_UNNAMED_USEREVENT) {
		examined->held.present++;
		examined->held.fresh += !is_old;
	}
	if (ptl_model_event(&examined->model, source, &examined->filter,
			    &step) &&
	    !is_old && !is_own(examined, &step))
		ask(examined, &step);
	if (when > examined->until)
		examined->until = when;
}

static struct ptl_source *next(struct ptl_examined *examined)
{
	struct ptl_source *source = ptl_merge_next(&examined->merge);

	if (source == NULL &&
	    ptl_source_more(examined->merge.source, true) == PTL_SOURCE_NOW)
		source = ptl_merge_next(&examined->merge);
	return source;
}

/*
 * What memory has and has lost, together, is more than before by the events
 * that are new, and by those that came and went meanwhile.  What was written to
 * a log meanwhile makes it less.
 */
static void count_missed(struct ptl_examined *examined)
{
	struct ptl_examined_memory *held = &examined->held;
	struct posix_trace_info_np info;
	uint64_t total, accounted;

	examined->missed = 0;
	if (posix_trace_get_info_np(examined->merge.source->trid, &info) != 0 ||
	    info.lost_unknown)
		return;
	total = info.lost + held->present;
	accounted = held->total + held->fresh + held->told;
	if (held->is_known && total > accounted)
		examined->missed = total - accounted;
	*held = (struct ptl_examined_memory){
		.is_known = true,
		.total = total,
		.told = held->fired,
	};
}

bool ptl_examine(struct ptl_examined *examined)
{
	struct ptl_source *source;
	unsigned int nr = 0;

	if (!examined->is_open && !open_log(examined))
		return false;
	source = next(examined);
	while (source != NULL) {
		examine_event(examined, source);
		if (++nr == EVENTS_MAX && !examined->is_copied)
			return true;
		source = next(examined);
	}
	if (examined->is_copied) {
		count_missed(examined);
		close_log(examined);
	} else {
		examined->passes_over = false;
	}
	return false;
}
