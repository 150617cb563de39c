/* SPDX-License-Identifier: MIT */
/*
 * Perfetto's TrackEvents, protocol buffers: a packet for each event, and one
 * for each end that is not an event of its own; others tell of processes and
 * threads, how much memory there is, and of gauges and counters.  The numbers
 * of fields are those of perfetto's trace_packet.proto, and of the files that
 * it includes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/dump/export/annotate.h"
#include "tools/dump/export/live.h"
#include "tools/dump/parts/sink.h"
#include "tools/dump/export/links.h"
#include "tools/dump/export/spans.h"
#include "tools/dump/export/wakings.h"
#include "tools/lib/clock.h"
#include "tools/lib/say.h"
#include "tools/model/series.h"

enum { TRACE_PACKET = 1 };
enum {
	PACKET_CLOCKS = 6,
	PACKET_TIME = 8,
	PACKET_SEQUENCE = 10,
	PACKET_EVENT = 11,
	PACKET_NAMES = 12,
	PACKET_FLAGS = 13,
	PACKET_DROPPED = 42,
	PACKET_DEFAULTS = 59,
	PACKET_TRACK = 60,
	PACKET_FIRST = 87,
};
enum { FLAG_CLEARED = 1, FLAG_NEEDS = 2 };
enum { DEFAULTS_CLOCK = 58 };
enum { CLOCKS_CLOCK = 1, CLOCKS_PRIMARY = 2, CLOCK_ID = 1, CLOCK_TIME = 2 };
enum { REALTIME = 1, BOOTTIME = 6 };
enum {
	EVENT_CATEGORY = 3,
	EVENT_TYPE = 9,
	EVENT_NAME = 10,
	EVENT_TRACK = 11,
	EVENT_COUNTER = 30,
	EVENT_DOUBLE_COUNTER = 44,
	EVENT_FLOW = 47,
	EVENT_LAST_FLOW = 48,
};
enum { BEGIN = 1, END = 2, INSTANT = 3, COUNTER = 4 };
enum {
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
};
enum { PROCESS_PID = 1, PROCESS_NAME = 6, PROCESS_LABELS = 8 };
enum { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum { COUNTER_UNIT = 3, UNIT_COUNT = 2, UNIT_BYTES = 3 };

/* What is kept of each process. */
struct extra {
	struct ptl_live *live;
	bool has_counter;
};

/* Arrows at an event: 0 is none. */
struct flows {
	uint64_t forked; /* begins here */
	uint64_t came;	 /* comes here ... */
	bool is_last;	 /* and ends */
};

static struct ptl_tracks *tracks;
static struct ptl_spans spans;
static struct ptl_series_set series_set;
static struct ptl_wakings wakings;
static struct ptl_names names;
static struct ptl_bytes packet;

/* What readers have of earlier packets is void: at first, and after a loss. */
static bool is_cleared, is_dropped, is_first;

static void write_packet(struct ptl_out *out)
{
	ptl_proto_uint(&packet, PACKET_SEQUENCE, 1);
	if (is_first)
		ptl_proto_uint(&packet, PACKET_FIRST, 1);
	is_first = false;
	ptl_proto_write(&packet, TRACE_PACKET, out);
}

static void put_clock(unsigned int id, uint64_t now)
{
	size_t at = ptl_proto_open(&packet, CLOCKS_CLOCK);

	ptl_proto_uint(&packet, CLOCK_ID, id);
	ptl_proto_uint(&packet, CLOCK_TIME, now);
	ptl_proto_close(&packet, at);
}

/* All times are of the real-time clock.  Readers want to know of the other one,
 * which is their own choice, too; here nothing has its times. */
static void tell_clocks(struct ptl_out *out, uint64_t now)
{
	size_t at = ptl_proto_open(&packet, PACKET_CLOCKS);

	put_clock(REALTIME, now);
	put_clock(BOOTTIME, now);
	ptl_proto_uint(&packet, CLOCKS_PRIMARY, REALTIME);
	ptl_proto_close(&packet, at);
	write_packet(out);
}

/*
 * Two processes of one number would be one to readers: those of other logs and
 * pid namespaces have tracks without a number, whose names say it.
 */
static void put_plain_name(const char *name, pid_t number, unsigned int pidns)
{
	char text[512];

	snprintf(text, sizeof(text),
		 pidns != 0 ? "%.400s [%d@%u]" : "%.400s [%d]", name,
		 (int)number, pidns);
	ptl_proto_text(&packet, TRACK_NAME, text, strlen(text));
}

static void put_process(const struct ptl_track_group *group, bool is_named)
{
	const char *name = is_named ? ptl_tracks_title(group) : NULL;
	const char *tags = is_named ? ptl_tracks_tags(group) : NULL;
	size_t at;

	if (name == NULL)
		name = "";
	if (group->numbering != 0) {
		put_plain_name(name, group->pid, group->pidns);
		return;
	}
	at = ptl_proto_open(&packet, TRACK_PROCESS);
	ptl_proto_uint(&packet, PROCESS_PID, (uint64_t)group->pid);
	if (*name != '\0')
		ptl_proto_text(&packet, PROCESS_NAME, name, strlen(name));
	if (tags != NULL)
		ptl_proto_text(&packet, PROCESS_LABELS, tags, strlen(tags));
	ptl_proto_close(&packet, at);
}

static void put_thread(const struct ptl_track *track)
{
	const struct ptl_track_group *group = track->group;
	const char *name = track->name != NULL ? track->name : "";
	size_t at;

	ptl_proto_uint(&packet, TRACK_PARENT, group->number);
	if (group->numbering != 0) {
		put_plain_name(name, track->tid, group->pidns);
		return;
	}
	at = ptl_proto_open(&packet, TRACK_THREAD);
	ptl_proto_uint(&packet, THREAD_PID, (uint64_t)group->pid);
	ptl_proto_uint(&packet, THREAD_TID, (uint64_t)track->tid);
	if (*name != '\0')
		ptl_proto_text(&packet, THREAD_NAME, name, strlen(name));
	ptl_proto_close(&packet, at);
}

/* Of several names readers keep the first: a process gets its name when nothing
 * more comes, and then it is that of its last program. */
static void tell_process(struct ptl_out *out,
			 const struct ptl_track_group *group, bool is_named)
{
	size_t at = ptl_proto_open(&packet, PACKET_TRACK);

	ptl_proto_uint(&packet, TRACK_UUID, group->number);
	put_process(group, is_named);
	ptl_proto_close(&packet, at);
	write_packet(out);
}

static void tell_group(struct ptl_out *out, struct ptl_track_group *group)
{
	if (group->extra != NULL)
		return;
	group->extra = ptl_alloc(sizeof(struct extra));
	tell_process(out, group, false);
}

static void tell_thread(struct ptl_out *out, struct ptl_track *track)
{
	size_t at;

	tell_group(out, track->group);
	if (track->is_told)
		return;
	track->is_told = true;
	at = ptl_proto_open(&packet, PACKET_TRACK);
	ptl_proto_uint(&packet, TRACK_UUID, track->number);
	put_thread(track);
	ptl_proto_close(&packet, at);
	write_packet(out);
}

/* Not the number of a process or thread. */
static uint64_t counter_of(const struct ptl_track_group *group)
{
	return group->number | UINT64_C(1) << 40;
}

static void tell_counter(struct ptl_out *out, uint64_t number,
			 const struct ptl_track_group *group, const char *name,
			 unsigned int unit)
{
	size_t track = ptl_proto_open(&packet, PACKET_TRACK), at;

	ptl_proto_uint(&packet, TRACK_UUID, number);
	ptl_proto_uint(&packet, TRACK_PARENT, group->number);
	ptl_proto_text(&packet, TRACK_NAME, name, strlen(name));
	at = ptl_proto_open(&packet, TRACK_COUNTER);
	ptl_proto_uint(&packet, COUNTER_UNIT, unit);
	ptl_proto_close(&packet, at);
	ptl_proto_close(&packet, track);
	write_packet(out);
}

static size_t open_event(uint64_t at, unsigned int type, uint64_t track)
{
	size_t opened;

	ptl_proto_uint(&packet, PACKET_TIME, at);
	opened = ptl_proto_open(&packet, PACKET_EVENT);
	ptl_proto_uint(&packet, EVENT_TYPE, type);
	ptl_proto_uint(&packet, EVENT_TRACK, track);
	return opened;
}

/* What readers begin anew with. */
static void put_cleared(void)
{
	size_t at = ptl_proto_open(&packet, PACKET_DEFAULTS);

	ptl_proto_uint(&packet, DEFAULTS_CLOCK, REALTIME);
	ptl_proto_close(&packet, at);
	if (is_dropped)
		ptl_proto_uint(&packet, PACKET_DROPPED, 1);
}

static void close_event(struct ptl_out *out, size_t opened)
{
	ptl_proto_close(&packet, opened);
	if (names.told.used > 0)
		ptl_proto_bytes(&packet, PACKET_NAMES, names.told.bytes,
				names.told.used);
	names.told.used = 0;
	if (is_cleared)
		put_cleared();
	ptl_proto_uint(&packet, PACKET_FLAGS,
		       is_cleared ? FLAG_CLEARED | FLAG_NEEDS : FLAG_NEEDS);
	is_cleared = is_dropped = false;
	write_packet(out);
}

/* Not the number of a process, thread or counter. */
static uint64_t number_of(const struct ptl_lane *lane)
{
	return lane->track->number | (uint64_t)lane->number << 41;
}

static void tell_lane(struct ptl_out *out, struct ptl_lane *lane)
{
	const char *name = lane->number >= PTL_LANE_SPANS ? "spans" :
			   lane->number == PTL_LANE_OFF ? "off the processor" :
							  "other stacks";
	size_t at;

	if (lane->is_told || lane->number == 0)
		return;
	lane->is_told = true;
	at = ptl_proto_open(&packet, PACKET_TRACK);
	ptl_proto_uint(&packet, TRACK_UUID, number_of(lane));
	ptl_proto_uint(&packet, TRACK_PARENT, lane->track->number);
	ptl_proto_text(&packet, TRACK_NAME, name, strlen(name));
	ptl_proto_close(&packet, at);
	write_packet(out);
}

static void put_ended(void *to, struct ptl_lane *lane, uint64_t at)
{
	close_event(to, open_event(at, END, number_of(lane)));
}

/* The end of a span is an event, and its begin was none that was shown. */
static void put_begun(struct ptl_out *out, const struct ptl_span *span)
{
	size_t opened = open_event(span->begin, BEGIN, number_of(span->lane));

	ptl_proto_uint(&packet, EVENT_NAME,
		       ptl_annotate_name(&names, PTL_NAMES_EVENT, span->name,
					 span->name_size));
	close_event(out, opened);
}

/* When the event was, or what it tells of. */
static uint64_t time_of(const struct ptl_span *span)
{
	return span->shape == PTL_SHAPE_LATER ||
			       span->shape == PTL_SHAPE_WHOLE ?
		       span->end :
		       span->at;
}

/* The end of a span that has one has no name: its begin has. */
static void put_span(struct ptl_out *out, const struct ptl_view *view,
		     const struct ptl_span *span, const struct flows *flows)
{
	unsigned int type = span->shape == PTL_SHAPE_INSTANT ? INSTANT :
			    span->shape == PTL_SHAPE_BEGIN ||
					    span->shape == PTL_SHAPE_TIMED ?
							       BEGIN :
							       END;
	size_t opened = open_event(time_of(span), type, number_of(span->lane));
	const char *family = ptl_family_name(view->type->kind->family);

	ptl_proto_uint(&packet, EVENT_CATEGORY,
		       ptl_annotate_name(&names, PTL_NAMES_CATEGORY, family,
					 strlen(family)));
	if (type != END)
		ptl_proto_uint(&packet, EVENT_NAME,
			       ptl_annotate_name(&names, PTL_NAMES_EVENT,
						 span->name, span->name_size));
	if (flows->forked != 0)
		ptl_proto_fixed(&packet, EVENT_FLOW, flows->forked);
	if (flows->came != 0)
		ptl_proto_fixed(&packet,
				flows->is_last ? EVENT_LAST_FLOW : EVENT_FLOW,
				flows->came);
	ptl_annotate(&packet, &names, view);
	close_event(out, opened);
}

/* A moment with an arrow, in what may be written already, or not yet. */
static void put_arrow_end(struct ptl_out *out, const struct ptl_lane *lane,
			  uint64_t at, unsigned int field, uint64_t flow,
			  const char *name)
{
	size_t opened = open_event(at, INSTANT, number_of(lane));

	ptl_proto_uint(
		&packet, EVENT_NAME,
		ptl_annotate_name(&names, PTL_NAMES_EVENT, name, strlen(name)));
	ptl_proto_fixed(&packet, field, flow);
	close_event(out, opened);
}

/* Beside the span. */
static void put_link_end(struct ptl_out *out, const struct ptl_arrow_end *end,
			 unsigned int field, uint64_t flow, const char *what,
			 const char *other)
{
	struct ptl_lane *lane = &end->track->spans;
	char name[256];

	snprintf(name, sizeof(name), "%s %.200s", what, other);
	tell_thread(out, end->track);
	tell_lane(out, lane);
	put_arrow_end(out, lane, end->at, field, flow, name);
}

static void put_link(struct ptl_out *out, const struct ptl_arrow *link)
{
	bool follows = strcmp(link->kind, "follows") == 0;

	put_link_end(out, &link->from, EVENT_FLOW, link->number,
		     follows ? "followed by" : "cause of", link->to.name);
	put_link_end(out, &link->to, EVENT_LAST_FLOW, link->number,
		     follows ? "follows" : "caused by", link->from.name);
}

static void put_waking_end(struct ptl_out *out, const struct ptl_track *track,
			   uint64_t at, unsigned int field, uint64_t flow,
			   const char *what, const struct ptl_strand *other)
{
	char name[256];

	snprintf(name, sizeof(name), "%s %.200s[%d]", what,
		 ptl_strand_program(other), (int)other->tid);
	put_arrow_end(out, &track->own, at, field, flow, name);
}

static void put_wakings(struct ptl_out *out)
{
	const struct ptl_strand *strand = NULL;
	struct ptl_waking waking;
	size_t nr = 0;

	while (ptl_wakings_next(&wakings, tracks, &strand, &nr, &waking)) {
		const struct ptl_wait *wait = waking.wait;

		put_waking_end(out, waking.from, waking.from_at, EVENT_FLOW,
			       waking.number, "wakes", wait->strand);
		put_waking_end(out, waking.to, waking.to_at, EVENT_LAST_FLOW,
			       waking.number, "woken by", wait->waker);
	}
}

static void count_memory(struct ptl_out *out, struct ptl_track_group *group,
			 const struct ptl_view *view, uint64_t at)
{
	struct extra *extra = group->extra;
	uint64_t bytes;
	size_t opened;

	if (!ptl_live_take(&extra->live, view, &bytes))
		return;
	if (!extra->has_counter)
		tell_counter(out, counter_of(group), group, "malloc",
			     UNIT_BYTES);
	extra->has_counter = true;
	opened = open_event(at, COUNTER, counter_of(group));
	ptl_proto_uint(&packet, EVENT_COUNTER, bytes);
	close_event(out, opened);
}

/* Not the number of anything else. */
static uint64_t number_of_series(const struct ptl_series *series)
{
	return series->number | UINT64_C(1) << 39;
}

static void put_values(struct ptl_out *out, const struct ptl_track *track,
		       const struct ptl_step *step, uint64_t at)
{
	struct ptl_track_group *group = track->group;
	struct ptl_series *series;
	unsigned int next = 0;
	size_t opened;
	double value;

	while ((series = ptl_series_take(&series_set, step, &next, &value)) !=
	       NULL) {
		if (series->process != NULL)
			group = ptl_tracks_group(tracks, series->process,
						 track->group->source);
		tell_group(out, group);
		if (!series->is_told)
			tell_counter(out, number_of_series(series), group,
				     series->name, UNIT_COUNT);
		series->is_told = true;
		opened = open_event(at, COUNTER, number_of_series(series));
		ptl_proto_double(&packet, EVENT_DOUBLE_COUNTER, series->now);
		close_event(out, opened);
	}
}

/* Behind a loss. */
static void begin_anew(const struct ptl_view *view)
{
	if (view->type->kind->act != PTL_ACT_RESUME)
		return;
	is_cleared = is_dropped = true;
	ptl_intern_forget(names.intern);
}

static void begin(struct ptl_sink *sink)
{
	const struct ptl_source *source = sink->merge->current;
	struct timespec now = {0};

	if (source != NULL)
		now = source->event.posix_timestamp;
	tracks = ptl_tracks_new(sink->merge);
	ptl_spans_begin(&spans, sink->model->calls, put_ended, &sink->out);
	spans.wants_all = true;
	ptl_series_begin(&series_set);
	ptl_wakings_begin(&wakings);
	packet = (struct ptl_bytes){0};
	names = (struct ptl_names){.intern = ptl_intern_new()};
	is_cleared = is_first = true;
	is_dropped = false;
	tell_clocks(&sink->out, ptl_ns(&now));
}

static void learn(struct ptl_sink *sink, const struct ptl_step *step)
{
	struct ptl_track *track;
	struct ptl_arrow link;
	uint64_t flow;

	(void)sink;
	ptl_spans_learn(&spans);
	track = ptl_tracks_learn(tracks, step, &flow);
	ptl_links_take(tracks, track, step, &link);
	ptl_wakings_learn(&wakings, track, step, false);
	ptl_series_learn(&series_set, step);
	begin_anew(step->view);
}

static void put_event(struct ptl_sink *sink, const struct ptl_step *step)
{
	struct ptl_out *out = &sink->out;
	struct ptl_track *track;
	struct ptl_span span;
	struct flows flows;
	struct ptl_arrow link;

	track = ptl_tracks_learn(tracks, step, &flows.forked);
	flows.came = ptl_tracks_flow(track->group, step, &flows.is_last);
	tell_thread(out, track);
	ptl_spans_take(&spans, track, step, &span);
	ptl_spans_title(&span, track, step);
	begin_anew(step->view);
	tell_lane(out, span.lane);
	if (span.shape == PTL_SHAPE_WHOLE)
		put_begun(out, &span);
	put_span(out, step->view, &span, &flows);
	count_memory(out, track->group, step->view, span.at);
	put_values(out, track, step, span.at);
	if (ptl_links_take(tracks, track, step, &link))
		put_link(out, &link);
	ptl_wakings_learn(&wakings, track, step, true);
}

static void end(struct ptl_sink *sink)
{
	struct ptl_track_group *group = NULL;
	const struct ptl_userspan *user = NULL;
	struct ptl_span span;

	ptl_spans_end(&spans);
	while (ptl_spans_next_open(sink->model, &user, &span)) {
		tell_lane(&sink->out, span.lane);
		put_begun(&sink->out, &span);
	}
	put_wakings(&sink->out);
	ptl_wakings_end(&wakings);
	while ((group = ptl_tracks_next(tracks, group)) != NULL) {
		struct extra *extra = group->extra;

		if (extra == NULL)
			continue;
		tell_process(&sink->out, group, true);
		ptl_live_free(extra->live);
		free(extra);
	}
	ptl_tracks_free(tracks);
	ptl_series_free(&series_set);
	ptl_intern_free(names.intern);
	ptl_bytes_free(&names.told);
	ptl_bytes_free(&packet);
}

const struct ptl_format ptl_format_perfetto = {
	.name = "perfetto",
	.wants_processes = true,
	.begin = begin,
	.event = put_event,
	.learn = learn,
	.end = end,
};
