/* SPDX-License-Identifier: MIT */
/*
 * The Trace Event Format of Chrome's about:tracing, which other viewers read,
 * too: JSON.  Each event is an object: X, with its duration; b and e, of a call
 * that goes on while its thread is on another stack, and of spans of the user;
 * or i, a moment.  Besides these: M, a name; s, t and f, the arrow from a fork
 * to its child, and from what ended a wait to that wait; C, what a gauge or
 * counter of the program is from then on.  There are many of them: what the
 * name or the begin says is not said again.
 *
 * What begins with one event and ends with another is one X, too, written when
 * it ends: viewers take a B and an E for a pair only if their arguments are the
 * same, and those of the end are not known before.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/dump/parts/info.h"
#include "tools/dump/parts/json.h"
#include "tools/dump/parts/sink.h"
#include "tools/dump/export/chrome_ends.h"
#include "tools/dump/export/chrome_members.h"
#include "tools/dump/export/chrome_stacks.h"
#include "tools/dump/export/links.h"
#include "tools/dump/export/spans.h"
#include "tools/dump/export/wakings.h"
#include "tools/lib/clock.h"
#include "tools/lib/quote.h"
#include "tools/lib/say.h"
#include "tools/lib/args/typed.h"
#include "tools/model/series.h"

static struct ptl_tracks *tracks;
static struct ptl_spans spans;
static struct ptl_series_set series_set;
static struct ptl_chrome_stacks stacks;
static struct ptl_wakings wakings;

/* What has begun in a track, and is written when it ends. */
struct begin {
	const char *name;
	const char *family; /* NULL: not to be told */
	char *args;	    /* members, "" without any */
	uint32_t stack;	    /* 0: none */
	uint64_t at;
	int tie;
	uint64_t latest; /* end of what is in it */
	uint64_t flow;	 /* of an arrow to where it begins, or 0 */
	bool flow_is_last;
	bool is_forked; /* from a fork until a program starts, or none does */
};

/* The outermost first. */
struct begun {
	const struct ptl_track *track; /* of a forked process */
	struct begin *begin;
	size_t nr, room;
	struct ptl_chrome_ends ends;
};

static struct ptl_hash all_begun; /* by the numbers of tracks */

/* Times count from here: those since 1970 do not fit into a double. */
static uint64_t first, last;
static bool is_first;

static unsigned int nr_named; /* processes that have a name and a place */

/* Microseconds. */
static void put_time(struct ptl_out *out, uint64_t ns)
{
	char digits[4] = {'.', (char)('0' + ns / 100 % 10),
			  (char)('0' + ns / 10 % 10), (char)('0' + ns % 10)};

	ptl_out_uint(out, ns / 1000);
	ptl_out_bytes(out, digits, sizeof(digits));
}

/* A number of another log, or pid namespace, is another's. */
static void put_number(struct ptl_out *out, const struct ptl_track_group *group,
		       pid_t number)
{
	ptl_out_uint(out, (uint64_t)group->numbering << 32 | (uint32_t)number);
}

static void put_key(struct ptl_out *out, const char *key)
{
	ptl_out_str(out, ",\"");
	ptl_out_str(out, key);
	ptl_out_str(out, "\":");
}

/* {"ph":"X","pid":1,"tid":1 */
static void open_object(struct ptl_out *out, char phase,
			const struct ptl_track *track)
{
	ptl_out_str(out, is_first ? "\n{\"ph\":\"" : ",\n{\"ph\":\"");
	is_first = false;
	ptl_out_char(out, phase);
	ptl_out_char(out, '"');
	put_key(out, "pid");
	put_number(out, track->group, track->group->pid);
	put_key(out, "tid");
	put_number(out, track->group, track->tid);
}

static void put_at(struct ptl_out *out, uint64_t at)
{
	put_key(out, "ts");
	put_time(out, at > first ? at - first : 0);
}

/* See chrome_ends.h. */
static void put_picoseconds(struct ptl_out *out, int ps)
{
	char digits[3] = {(char)('0' + ps / 100 % 10),
			  (char)('0' + ps / 10 % 10), (char)('0' + ps % 10)};

	if (ps > 0)
		ptl_out_bytes(out, digits, sizeof(digits));
}

static void put_lasting(struct ptl_out *out, uint64_t begin, int tie,
			uint64_t end, int end_tie)
{
	uint64_t ns = end > begin ? end - begin : 0;
	int64_t ps = (int64_t)ns * 1000 + end_tie - tie;

	if (ps < 0)
		ps = 0;
	put_at(out, begin);
	put_picoseconds(out, tie);
	put_key(out, "dur");
	put_time(out, (uint64_t)ps / 1000);
	put_picoseconds(out, (int)(ps % 1000));
}

static void put_name(struct ptl_out *out, const char *what,
		     const struct ptl_track *track, const char *name)
{
	open_object(out, 'M', track);
	put_key(out, "name");
	ptl_quote_json(out, what, strlen(what));
	put_key(out, "args");
	ptl_out_str(out, "{\"name\":");
	ptl_quote_json(out, name, strlen(name));
	ptl_out_str(out, "}}");
}

/* Processes stand in the order of their first events, not of their numbers. */
static void put_order(struct ptl_out *out, const struct ptl_track *track)
{
	open_object(out, 'M', track);
	ptl_out_str(out, ",\"name\":\"process_sort_index\","
			 "\"args\":{\"sort_index\":");
	ptl_out_uint(out, nr_named++);
	ptl_out_str(out, "}}");
}

/* Viewers show them behind the process's name. */
static void tell_tags(struct ptl_out *out, const struct ptl_track *track)
{
	struct ptl_track_group *group = track->group;
	const char *shown =
		group->process != NULL ? group->process->tags.shown : NULL;
	const char *tags;

	if (group->told_tags == shown)
		return;
	group->told_tags = shown;
	tags = ptl_tracks_tags(group);
	open_object(out, 'M', track);
	ptl_out_str(out, ",\"name\":\"process_labels\",\"args\":{\"labels\":");
	ptl_quote_json(out, tags != NULL ? tags : "",
		       tags != NULL ? strlen(tags) : 0);
	ptl_out_str(out, "}}");
}

static void tell_names(struct ptl_out *out, struct ptl_track *track)
{
	struct ptl_track_group *group = track->group;
	const char *program = ptl_tracks_program(group);

	if (group->told == NULL && program != NULL)
		put_order(out, track);
	if (group->told != program)
		put_name(out, "process_name", track, ptl_tracks_title(group));
	group->told = program;
	tell_tags(out, track);
	if (track->told != track->name)
		put_name(out, "thread_name", track, track->name);
	track->told = track->name;
}

/* Viewers draw what has one name in one process. */
static void put_value(struct ptl_out *out, const struct ptl_track *track,
		      const struct ptl_series *series, uint64_t at)
{
	struct ptl_track of = {.group = track->group, .tid = track->tid};
	char text[PTL_TYPED_TEXT];

	if (series->process != NULL) {
		of.group = ptl_tracks_group(tracks, series->process,
					    track->group->source);
		of.tid = of.group->pid;
	}
	open_object(out, 'C', &of);
	put_key(out, "name");
	ptl_quote_json(out, series->name, strlen(series->name));
	put_at(out, at);
	put_key(out, "args");
	ptl_out_str(out, "{\"value\":");
	ptl_out_str(out, ptl_typed_json(series->now, text));
	ptl_out_str(out, "}}");
}

static void put_values(struct ptl_out *out, const struct ptl_track *track,
		       const struct ptl_step *step, uint64_t at)
{
	const struct ptl_series *series;
	unsigned int next = 0;
	double value;

	while ((series = ptl_series_take(&series_set, step, &next, &value)) !=
	       NULL)
		put_value(out, track, series, at);
}

/* Viewers join what has the same category, name and number. */
static void put_flow(struct ptl_out *out, char phase,
		     const struct ptl_track *track, const char *what,
		     uint64_t flow, uint64_t at)
{
	open_object(out, phase, track);
	ptl_out_str(out, what);
	put_key(out, "id");
	ptl_out_uint(out, flow);
	put_at(out, at);
	if (phase == 'f')
		ptl_out_str(out, ",\"bp\":\"e\"");
	ptl_out_char(out, '}');
}

static void put_fork(struct ptl_out *out, char phase,
		     const struct ptl_track *track, uint64_t flow, uint64_t at)
{
	put_flow(out, phase, track, ",\"cat\":\"process\",\"name\":\"fork\"",
		 flow, at);
}

/* Viewers have no arrows between what is beside a track: between the tracks
 * that spans began in. */
static void put_link(struct ptl_out *out, const struct ptl_arrow *link)
{
	const char *what = strcmp(link->kind, "follows") == 0 ?
				   ",\"cat\":\"link\",\"name\":\"follows\"" :
				   ",\"cat\":\"link\",\"name\":\"cause\"";

	put_flow(out, 's', link->from.track, what, link->number, link->from.at);
	put_flow(out, 'f', link->to.track, what, link->number, link->to.at);
}

static void put_wakings(struct ptl_out *out)
{
	static const char what[] = ",\"cat\":\"wait\",\"name\":\"wakes\"";
	const struct ptl_strand *strand = NULL;
	struct ptl_waking waking;
	size_t nr = 0;

	while (ptl_wakings_next(&wakings, tracks, &strand, &nr, &waking)) {
		put_flow(out, 's', waking.from, what, waking.number,
			 waking.from_at);
		put_flow(out, 'f', waking.to, what, waking.number,
			 waking.to_at);
	}
}

static uint32_t stack_of(const struct ptl_view *view)
{
	return view->source->nr_stack > 0 ? ptl_chrome_stack(&stacks, view) : 0;
}

static void put_stack(struct ptl_out *out, const char *key, uint32_t stack)
{
	if (stack == 0)
		return;
	put_key(out, key);
	ptl_out_char(out, '"');
	ptl_out_uint(out, stack);
	ptl_out_char(out, '"');
}

static void put_args(struct ptl_out *out, const struct ptl_view *view,
		     char phase, const struct ptl_span *span)
{
	put_key(out, "args");
	ptl_out_char(out, '{');
	ptl_chrome_members_put(out, view, phase, span);
	ptl_out_char(out, '}');
	put_stack(out, "sf", stack_of(view));
}

/* What begins and ends beside the thread's track has one number, no other, and
 * the same name. */
static void put_aside(struct ptl_out *out, char phase,
		      const struct ptl_lane *lane)
{
	open_object(out, phase, lane->track);
	put_key(out, "cat");
	ptl_quote_json(out, lane->family, strlen(lane->family));
	put_key(out, "name");
	ptl_quote_json(out, lane->name, lane->name_size);
	put_key(out, "id");
	ptl_out_uint(out, lane->track->number << 16 | lane->number);
}

static struct begun *begun_of(const struct ptl_track *track)
{
	return ptl_hash_get(&all_begun, &track->number, sizeof(track->number));
}

static int end_tie(struct begun *begun, uint64_t begin, uint64_t at,
		   bool is_known)
{
	if (begun->nr > 0 && begun->begin[begun->nr - 1].latest < at)
		begun->begin[begun->nr - 1].latest = at;
	return ptl_chrome_ends_add(&begun->ends, begin, at, is_known,
				   (int)begun->nr);
}

/* What is in it does not end behind it, nor it behind what it is in. */
static uint64_t nested_end(const struct begun *begun, const struct begin *begin,
			   uint64_t at)
{
	return ptl_chrome_ends_limit(&begun->ends, begin->at,
				     at < begin->latest ? begin->latest : at);
}

static struct begin *new_begin(struct begun *begun)
{
	begun->begin = ptl_grow(begun->begin, begun->nr, &begun->room,
				sizeof(*begun->begin));
	return &begun->begin[begun->nr++];
}

static void keep_beginning(const struct ptl_track *track,
			   const struct ptl_view *view,
			   const struct ptl_span *span, const char *family)
{
	struct begun *begun = begun_of(track);

	*new_begin(begun) = (struct begin){
		.name = ptl_intern(span->name, span->name_size),
		.family = family,
		.args = ptl_chrome_members_kept(view, 'B', span),
		.stack = stack_of(view),
		.at = span->begin,
		.tie = ptl_chrome_ends_tie(&begun->ends, span->begin),
	};
}

/* The arguments of the end are an object in those of the begin. */
static void put_both_args(struct ptl_out *out, const struct begin *begin,
			  const struct ptl_view *view,
			  const struct ptl_span *span)
{
	put_key(out, "args");
	ptl_out_char(out, '{');
	ptl_out_str(out, begin->args);
	if (begin->args[0] != '\0')
		ptl_out_char(out, ',');
	if (begin->is_forked) {
		ptl_out_str(out, "\"(forked)\":true}");
	} else if (view == NULL) {
		ptl_out_str(out, "\"(no end seen)\":true}");
	} else {
		ptl_out_str(out, "\"end\":{");
		ptl_chrome_members_put(out, view, 'E', span);
		ptl_out_str(out, "}}");
	}
	put_stack(out, "sf", begin->stack);
	if (view != NULL)
		put_stack(out, "esf", stack_of(view));
}

/* The innermost of those that have begun; the view is that of its end, or
 * NULL. */
static void put_ended_span(struct ptl_out *out, const struct ptl_track *track,
			   uint64_t end, const struct ptl_view *view,
			   const struct ptl_span *span)
{
	struct begun *begun = begun_of(track);
	bool is_known = view != NULL && span->shape == PTL_SHAPE_LATER;
	struct begin *begin;
	int tie;

	if (begun->nr == 0)
		return;
	begin = &begun->begin[--begun->nr];
	end = nested_end(begun, begin, end);
	tie = end_tie(begun, begin->at, end, is_known);
	open_object(out, 'X', track);
	if (begin->family != NULL) {
		put_key(out, "cat");
		ptl_quote_json(out, begin->family, strlen(begin->family));
	}
	put_key(out, "name");
	ptl_quote_json(out, begin->name, strlen(begin->name));
	put_lasting(out, begin->at, begin->tie, end, tie);
	put_both_args(out, begin, view, span);
	ptl_out_char(out, '}');
	if (begin->flow != 0)
		put_fork(out, begin->flow_is_last ? 'f' : 't', track,
			 begin->flow, begin->at);
	free(begin->args);
}

static void put_ended(void *to, struct ptl_lane *lane, uint64_t at)
{
	struct ptl_out *out = to;

	if (lane->number == 0) {
		put_ended_span(out, lane->track, at, NULL, NULL);
		return;
	}
	put_aside(out, 'e', lane);
	put_at(out, at);
	ptl_out_char(out, '}');
}

static char phase_of(enum ptl_shape shape)
{
	switch (shape) {
	case PTL_SHAPE_BEGIN:
		return 'B';
	case PTL_SHAPE_END:
	case PTL_SHAPE_LATER:
		return 'E';
	case PTL_SHAPE_TIMED:
		return 'X';
	default:
		return 'i';
	}
}

/* With an event that is its end, the whole of it. */
static void put_span_aside(struct ptl_out *out, const struct ptl_view *view,
			   const struct ptl_span *span)
{
	bool begins = span->shape == PTL_SHAPE_BEGIN;

	if (span->shape == PTL_SHAPE_WHOLE) {
		put_aside(out, 'b', span->lane);
		put_at(out, span->begin);
		ptl_out_char(out, '}');
	}
	put_aside(out, begins ? 'b' : 'e', span->lane);
	put_at(out, begins			 ? span->begin :
		    span->shape == PTL_SHAPE_END ? span->at :
						   span->end);
	put_args(out, view, begins ? 'b' : 'e', span);
	ptl_out_char(out, '}');
}

/* NULL: its name says it. */
static const char *family_of(const struct ptl_view *view,
			     const struct ptl_span *span)
{
	const char *family = ptl_family_name(view->type->kind->family);
	size_t size = strlen(family);

	return span->name_size > size && span->name[size] == ':' &&
			       memcmp(span->name, family, size) == 0 ?
		       NULL :
		       family;
}

/* What is in it is written later, and may end with it. */
static void put_timed(struct ptl_out *out, const struct ptl_track *track,
		      const struct ptl_span *span)
{
	struct begun *begun = begun_of(track);
	int tie = ptl_chrome_ends_tie(&begun->ends, span->begin);

	put_lasting(out, span->begin, tie, span->end,
		    end_tie(begun, span->begin, span->end, true));
}

/* One that is over, or a moment. */
static void put_at_once(struct ptl_out *out, const struct ptl_track *track,
			const struct ptl_view *view,
			const struct ptl_span *span, char phase)
{
	const char *family = family_of(view, span);

	open_object(out, phase, track);
	if (family != NULL) {
		put_key(out, "cat");
		ptl_quote_json(out, family, strlen(family));
	}
	put_key(out, "name");
	ptl_quote_json(out, span->name, span->name_size);
	if (phase == 'X')
		put_timed(out, track, span);
	else
		put_at(out, span->begin);
	put_args(out, view, phase, span);
	ptl_out_char(out, '}');
}

static void put_span(struct ptl_out *out, const struct ptl_track *track,
		     const struct ptl_view *view, const struct ptl_span *span)
{
	char phase = phase_of(span->shape);

	if (phase == 'B')
		keep_beginning(track, view, span, family_of(view, span));
	else if (phase == 'E')
		put_ended_span(out, track,
			       span->shape == PTL_SHAPE_LATER ? span->end :
								span->begin,
			       view, span);
	else
		put_at_once(out, track, view, span, phase);
}

/* Nothing else lasts there: viewers join arrows to what does. */
static void begin_forked(const struct ptl_track *track, uint64_t flow,
			 uint64_t now)
{
	const char *program = ptl_tracks_program(track->group);
	uint64_t at = track->group->forked;
	struct begun *begun = begun_of(track);

	if (at > now)
		at = now;
	begun->track = track;
	*new_begin(begun) = (struct begin){
		.name = program != NULL ? program : "[forked]",
		.family = ptl_family_name(PTL_FAMILY_PROCESS),
		.args = ptl_alloc(1),
		.at = at,
		.tie = ptl_chrome_ends_tie(&begun->ends, at),
		.flow = flow,
		.is_forked = true,
	};
}

static void end_forked(struct ptl_out *out, const struct begun *begun,
		       uint64_t at)
{
	if (begun->nr == 1 && begun->begin[0].is_forked)
		put_ended_span(out, begun->track, at, NULL, NULL);
}

/* Behind what begins there, which is not written yet. */
static void take_flow(struct ptl_out *out, const struct ptl_track *track,
		      const struct ptl_span *span, uint64_t flow)
{
	struct begun *begun = begun_of(track);

	if (span->shape == PTL_SHAPE_BEGIN && span->lane->number == 0 &&
	    begun->nr > 0) {
		begun->begin[begun->nr - 1].flow = flow;
		begun->begin[begun->nr - 1].flow_is_last = true;
	} else {
		put_fork(out, 'f', track, flow, span->at);
	}
}

static void begin(struct ptl_sink *sink)
{
	tracks = ptl_tracks_new(sink->merge);
	ptl_spans_begin(&spans, sink->model->calls, put_ended, &sink->out);
	ptl_series_begin(&series_set);
	ptl_wakings_begin(&wakings);
	all_begun.value_size = sizeof(struct begun);
	first = last = 0;
	nr_named = 0;
	is_first = true;
	ptl_out_str(&sink->out,
		    "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
}

/* A program begins or ends. */
static bool is_life(const struct ptl_step *step)
{
	return step->kind->act == PTL_ACT_START ||
	       step->kind->act == PTL_ACT_EXIT;
}

static void learn(struct ptl_sink *sink, const struct ptl_step *step)
{
	struct ptl_track *track;
	struct ptl_arrow link;
	uint64_t flow;

	ptl_spans_learn(&spans);
	track = ptl_tracks_learn(tracks, step, &flow);
	if (is_life(step))
		end_forked(&sink->out, begun_of(track),
			   ptl_ns(&step->view->event->posix_timestamp));
	ptl_links_take(tracks, track, step, &link);
	ptl_wakings_learn(&wakings, track, step, false);
	ptl_series_learn(&series_set, step);
}

static void put_event(struct ptl_sink *sink, const struct ptl_step *step)
{
	struct ptl_out *out = &sink->out;
	struct ptl_track *track;
	struct ptl_span span;
	struct ptl_arrow link;
	uint64_t forked, flow;
	bool is_last;

	track = ptl_tracks_learn(tracks, step, &forked);
	flow = ptl_tracks_flow(track->group, step, &is_last);
	tell_names(out, track);
	ptl_spans_take(&spans, track, step, &span);
	last = span.at;
	if (first == 0)
		first = last;
	if (flow != 0 && !is_last)
		begin_forked(track, flow, last);
	if (is_life(step))
		end_forked(out, begun_of(track), last);
	ptl_spans_title(&span, track, step);
	if (span.lane->number > 0)
		put_span_aside(out, step->view, &span);
	else
		put_span(out, track, step->view, &span);
	put_values(out, track, step, span.at);
	if (forked != 0)
		put_fork(out, 's', track, forked, span.at);
	if (flow != 0 && is_last)
		take_flow(out, track, &span, flow);
	if (ptl_links_take(tracks, track, step, &link))
		put_link(out, &link);
	ptl_wakings_learn(&wakings, track, step, true);
}

static void put_host(struct ptl_out *out, const struct ptl_info_field *field)
{
	if (strcmp(field->key, "host") != 0)
		return;
	ptl_out_str(out, ",\"host\":");
	ptl_quote_json(out, field->text, strlen(field->text));
}

/* Viewers show them as what did not end. */
static void put_open(struct ptl_sink *sink)
{
	const struct ptl_userspan *user = NULL;
	struct ptl_span span;

	while (ptl_spans_next_open(sink->model, &user, &span)) {
		put_aside(&sink->out, 'b', span.lane);
		put_at(&sink->out, span.begin);
		ptl_out_char(&sink->out, '}');
	}
}

/* When it was, and where. */
static void put_origin(struct ptl_sink *sink)
{
	struct ptl_out *out = &sink->out;
	struct timespec start = {(time_t)(first / 1000000000),
				 (long)(first % 1000000000)};

	ptl_out_str(out, ",\"otherData\":{\"clock\":\"CLOCK_REALTIME\","
			 "\"start\":\"");
	ptl_out_time(out, &start);
	ptl_out_char(out, '"');
	ptl_info_fields(sink->merge->source, put_host, out);
	ptl_out_char(out, '}');
}

static void end_begun(struct ptl_out *out)
{
	struct begun *begun = NULL;

	while ((begun = ptl_hash_next(&all_begun, begun)) != NULL) {
		end_forked(out, begun, last);
		free(begun->begin);
	}
	ptl_hash_clear(&all_begun);
	ptl_chrome_members_free();
}

static void end(struct ptl_sink *sink)
{
	ptl_spans_end(&spans);
	end_begun(&sink->out);
	put_open(sink);
	put_wakings(&sink->out);
	ptl_wakings_end(&wakings);
	ptl_out_str(&sink->out, "\n]");
	if (stacks.frames.nr > 0) {
		ptl_out_str(&sink->out, ",\"stackFrames\":");
		ptl_chrome_stacks_put(&stacks, &sink->out);
	}
	ptl_chrome_stacks_free(&stacks);
	put_origin(sink);
	ptl_out_str(&sink->out, "}\n");
	ptl_tracks_free(tracks);
	ptl_series_free(&series_set);
}

const struct ptl_format ptl_format_chrome = {
	.name = "chrome",
	.wants_processes = true,
	.begin = begin,
	.event = put_event,
	.learn = learn,
	.end = end,
};
