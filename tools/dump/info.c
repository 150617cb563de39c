/* SPDX-License-Identifier: MIT */
/* ptrace-dump --info: what a log tells besides its events. */
#include "tools/dump/view.h"

#include <string.h>

#include "tools/lib/quote.h"

static const char *constant_name(int constant)
{
	switch (constant) {
	case POSIX_TRACE_RUNNING:
		return "running";
	case POSIX_TRACE_SUSPENDED:
		return "suspended";
	case POSIX_TRACE_FULL:
		return "full";
	case POSIX_TRACE_NOT_FULL:
		return "not full";
	case POSIX_TRACE_OVERRUN:
		return "overrun";
	case POSIX_TRACE_NO_OVERRUN:
		return "no overrun";
	case POSIX_TRACE_FLUSHING:
		return "flushing";
	case POSIX_TRACE_NOT_FLUSHING:
		return "not flushing";
	case POSIX_TRACE_CLOSE_FOR_CHILD:
		return "close-for-child";
	case POSIX_TRACE_INHERITED:
		return "inherited";
	case POSIX_TRACE_LOOP:
		return "loop";
	case POSIX_TRACE_UNTIL_FULL:
		return "until-full";
	case POSIX_TRACE_FLUSH:
		return "flush";
	case POSIX_TRACE_BLOCK_NP:
		return "block";
	case POSIX_TRACE_APPEND:
		return "append";
	default:
		return "?";
	}
}

static const char *state_name(int state)
{
	switch (state) {
	case POSIX_TRACE_LOG_ACTIVE_NP:
		return "still being written";
	case POSIX_TRACE_LOG_COMPLETE_NP:
		return "complete";
	case POSIX_TRACE_LOG_INCOMPLETE_NP:
		return "incomplete";
	case POSIX_TRACE_LOG_DAMAGED_NP:
		return "damaged";
	default:
		return "?";
	}
}

/* Values begin in one column. */
static void put_key(struct ptl_out *out, const char *key)
{
	size_t size = strlen(key);

	ptl_out_str(out, key);
	ptl_out_char(out, ':');
	do
		ptl_out_char(out, ' ');
	while (++size < 19);
}

static void put_text(struct ptl_out *out, const char *key, const char *text)
{
	put_key(out, key);
	ptl_quote_plain(out, text, strlen(text));
	ptl_out_char(out, '\n');
}

static void put_number(struct ptl_out *out, const char *key, uint64_t number)
{
	put_key(out, key);
	ptl_out_uint(out, number);
	ptl_out_char(out, '\n');
}

static void put_time(struct ptl_out *out, const char *key,
		     const struct timespec *time)
{
	put_key(out, key);
	ptl_out_time(out, time);
	ptl_out_char(out, '\n');
}

typedef int get_size_function(const trace_attr_t *, size_t *);
typedef int get_int_function(const trace_attr_t *, int *);

static void put_size(struct ptl_out *out, const char *key,
		     const trace_attr_t *attr, get_size_function *get)
{
	size_t size;

	if (get(attr, &size) == 0)
		put_number(out, key, size);
}

static void put_constant(struct ptl_out *out, const char *key,
			 const trace_attr_t *attr, get_int_function *get)
{
	int constant;

	if (get(attr, &constant) == 0)
		put_text(out, key, constant_name(constant));
}

static void put_attributes(struct ptl_out *out, trace_id_t trid)
{
	char text[TRACE_NAME_MAX + 1];
	unsigned int depth;
	struct timespec time;
	trace_attr_t attr;

	if (posix_trace_get_attr(trid, &attr) != 0)
		return;
	if (posix_trace_attr_getgenversion(&attr, text) == 0)
		put_text(out, "generation-version", text);
	if (posix_trace_attr_getname(&attr, text) == 0)
		put_text(out, "trace-name", text);
	if (posix_trace_attr_getcreatetime(&attr, &time) == 0)
		put_time(out, "creation-time", &time);
	if (posix_trace_attr_getclockres(&attr, &time) == 0)
		put_time(out, "clock-resolution", &time);
	put_size(out, "stream-min-size", &attr, posix_trace_attr_getstreamsize);
	put_constant(out, "stream-full-policy", &attr,
		     posix_trace_attr_getstreamfullpolicy);
	put_size(out, "max-data-size", &attr, posix_trace_attr_getmaxdatasize);
	if (posix_trace_attr_getstackdepth_np(&attr, &depth) == 0 && depth > 0)
		put_number(out, "stack-depth", depth);
	put_constant(out, "inheritance", &attr, posix_trace_attr_getinherited);
	put_size(out, "log-max-size", &attr, posix_trace_attr_getlogsize);
	put_constant(out, "log-full-policy", &attr,
		     posix_trace_attr_getlogfullpolicy);
}

static void put_status(struct ptl_out *out, trace_id_t trid)
{
	struct posix_trace_status_info status;

	if (posix_trace_get_status(trid, &status) != 0)
		return;
	put_text(out, "stream-status",
		 constant_name(status.posix_stream_status));
	put_text(out, "stream-full",
		 constant_name(status.posix_stream_full_status));
	put_text(out, "stream-overrun",
		 constant_name(status.posix_stream_overrun_status));
	put_text(out, "flush-status",
		 constant_name(status.posix_stream_flush_status));
	put_text(out, "flush-error",
		 status.posix_stream_flush_error == 0 ?
			 "none" :
			 strerror(status.posix_stream_flush_error));
	put_text(out, "log-overrun",
		 constant_name(status.posix_log_overrun_status));
	put_text(out, "log-full", constant_name(status.posix_log_full_status));
}

/* How many, and some of them, one a line. */
static void put_untraced(struct ptl_out *out,
			 const struct posix_trace_info_np *info)
{
	const char *line = info->untraced_names;

	put_number(out, "not-traced", info->untraced);
	while (*line != '\0') {
		size_t size = strcspn(line, "\n");

		ptl_out_str(out, "  ");
		ptl_quote_plain(out, line, size);
		ptl_out_char(out, '\n');
		line += size + (line[size] == '\n');
	}
}

static void put_figures(struct ptl_out *out, trace_id_t trid)
{
	struct posix_trace_info_np info;

	if (posix_trace_get_info_np(trid, &info) != 0)
		return;
	put_text(out, "log-state", state_name(info.log_state));
	if (info.bad_size > 0) {
		put_number(out, "bad-offset", info.bad_offset);
		put_number(out, "bad-size", info.bad_size);
	}
	put_number(out, "log-size", info.log_size);
	put_number(out, "events", info.events);
	if (info.lost_unknown) {
		put_text(out, "lost", "unknown");
		put_text(out, "processes", "unknown");
	} else {
		put_number(out, "lost", info.lost);
		put_number(out, "processes", info.processes);
		put_number(out, "stacks-cut", info.stacks_cut);
	}
	put_untraced(out, &info);
	put_text(out, "clock", info.clock);
	put_text(out, "host", info.host);
}

/* ID NAME FIELDS, one type a line. */
static void put_types(struct ptl_out *out, struct ptl_source *source)
{
	trace_event_id_t id;
	int unavailable;

	if (posix_trace_eventtypelist_rewind(source->trid) != 0)
		return;
	ptl_out_str(out, "event-types:\n");
	while (posix_trace_eventtypelist_getnext_id(source->trid, &id,
						    &unavailable) == 0 &&
	       !unavailable) {
		const struct ptl_type *type = ptl_source_type(source, id);
		char fields[512];

		ptl_out_str(out, "  ");
		ptl_out_uint(out, id);
		ptl_out_char(out, ' ');
		ptl_quote_plain(out, type->name, type->name_size);
		if (posix_trace_eventid_get_fields_np(source->trid, id, fields,
						      sizeof(fields)) == 0 &&
		    fields[0] != '\0') {
			ptl_out_char(out, ' ');
			ptl_quote_plain(out, fields, strlen(fields));
		}
		ptl_out_char(out, '\n');
	}
}

void ptl_info_print(struct ptl_out *out, struct ptl_source *source)
{
	put_text(out, "log", source->path);
	put_figures(out, source->trid);
	put_attributes(out, source->trid);
	put_status(out, source->trid);
	put_types(out, source);
}
