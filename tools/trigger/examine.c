/* SPDX-License-Identifier: MIT */
/*
 * See examine.h.  A log that grows is read on; of memory there is a copy at
 * each look, which has much of the one before (recent.h).
 */
#include "tools/trigger/examine.h"

#include "core/format/sysevents.h"
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
		       const struct ptl_source *source)
{
	struct ptl_type *type = source->type;

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
		if (ptl_where_matches(examined->where[i], &event) &&
		    examined->fired(examined->to, i, step))
			examined->held.fired++;
}

static bool was_examined(struct ptl_examined *examined,
			 const struct ptl_source *source)
{
	bool is_new = !examined->is_copied ||
		      ptl_recent_learn(&examined->recent, source);

	return !is_new || (examined->passes_over &&
			   ptl_recent_end(source) <= examined->before);
}

/* Events of losses are made by who reads: in memory they are not. */
static bool is_held(trace_event_id_t id)
{
	return id > POSIX_TRACE_UNNAMED_USEREVENT || id == POSIX_TRACE_START ||
	       id == POSIX_TRACE_STOP || id == POSIX_TRACE_FILTER;
}

static void count(struct ptl_examined_memory *held, trace_event_id_t id,
		  bool is_old)
{
	if (!is_held(id))
		return;
	held->present++;
	/* A firing was counted when it was told. */
	held->fresh += !is_old && id != PTL_EV_TRACE_TRIGGER;
}

static void examine_event(struct ptl_examined *examined,
			  struct ptl_source *source)
{
	bool is_old = was_examined(examined, source);
	struct ptl_step step;

	judge_type(examined, source);
	count(&examined->held, source->event.posix_event_id, is_old);
	if (ptl_model_event(&examined->model, source, &examined->filter,
			    &step) &&
	    !is_old && !is_own(examined, &step))
		ask(examined, &step);
	if (ptl_recent_end(source) > examined->until)
		examined->until = ptl_recent_end(source);
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
 * A piece of memory can be counted as lost though it is in the copy even so.
 * One of the next looks has so many too few, and they are taken back; not
 * necessarily the next one, which may have another such piece.  Far more are
 * too few when memory was written to the log meanwhile: that takes nothing
 * back.
 */
static int64_t correct(const struct ptl_examined_memory *held, int64_t missed)
{
	uint64_t too_few = missed < 0 ? -(uint64_t)missed : 0;

	if (too_few > held->missed || too_few > held->before / 2)
		return 0;
	return missed;
}

/*
 * What memory has and has lost, together, is more than before by the events
 * that are new, and by those that came and went meanwhile.
 */
static void count_missed(struct ptl_examined *examined)
{
	struct ptl_examined_memory *held = &examined->held;
	struct posix_trace_info_np info;
	uint64_t total;

	examined->missed = 0;
	if (posix_trace_get_info_np(examined->merge.source->trid, &info) != 0 ||
	    info.lost_unknown)
		return;
	total = info.lost + held->present;
	if (held->is_known)
		examined->missed =
			correct(held, (int64_t)(total - held->total -
						held->fresh - held->told));
	*held = (struct ptl_examined_memory){
		.is_known = true,
		.total = total,
		.missed = held->missed + (uint64_t)examined->missed,
		.before = held->present,
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
		ptl_recent_next(&examined->recent);
		close_log(examined);
	} else {
		examined->passes_over = false;
	}
	return false;
}
