/* SPDX-License-Identifier: MIT */
/* What a log says besides its events; see info.h. */
#include "tools/dump/parts/info.h"

#include <stdio.h>
#include <string.h>

/* Where the fields go. */
struct to {
	ptl_info_function *put;
	struct ptl_out *out;
};

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
		return NULL;
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
		return NULL;
	}
}

static void put_absent(const struct to *to, const char *key,
		       const char *instead)
{
	const struct ptl_info_field field = {.key = key, .text = instead};

	to->put(to->out, &field);
}

static void put_number(const struct to *to, const char *key, uint64_t number)
{
	const struct ptl_info_field field = {
		.key = key, .kind = PTL_INFO_NUMBER, .number = number};

	to->put(to->out, &field);
}

static void put_text(const struct to *to, const char *key, const char *text)
{
	const struct ptl_info_field field = {
		.key = key, .kind = PTL_INFO_TEXT, .text = text};

	to->put(to->out, &field);
}

static void put_lines(const struct to *to, const char *key, const char *lines)
{
	const struct ptl_info_field field = {
		.key = key, .kind = PTL_INFO_LINES, .text = lines};

	to->put(to->out, &field);
}

/* The name of a value; NULL if the log has a value that has no name. */
static void put_name(const struct to *to, const char *key, const char *name)
{
	if (name != NULL)
		put_text(to, key, name);
	else
		put_absent(to, key, "?");
}

typedef int get_size_function(const trace_attr_t *, size_t *);
typedef int get_int_function(const trace_attr_t *, int *);
typedef int get_text_function(const trace_attr_t *, char *);
typedef int get_time_function(const trace_attr_t *, struct timespec *);

static void put_attr_size(const struct to *to, const char *key,
			  const trace_attr_t *attr, get_size_function *get)
{
	size_t size;

	if (get(attr, &size) == 0)
		put_number(to, key, size);
}

static void put_attr_name(const struct to *to, const char *key,
			  const trace_attr_t *attr, get_int_function *get)
{
	int constant;

	if (get(attr, &constant) == 0)
		put_name(to, key, constant_name(constant));
}

static void put_attr_text(const struct to *to, const char *key,
			  const trace_attr_t *attr, get_text_function *get)
{
	char text[TRACE_NAME_MAX + 1];

	if (get(attr, text) == 0)
		put_text(to, key, text);
}

static void put_attr_time(const struct to *to, const char *key,
			  const trace_attr_t *attr, get_time_function *get)
{
	struct ptl_info_field field = {.key = key, .kind = PTL_INFO_TIME};

	if (get(attr, &field.time) == 0)
		to->put(to->out, &field);
}

/* What a log that is appended to was created with does not apply to it. */
static void put_log_limit(const struct to *to, const trace_attr_t *attr)
{
	int policy;

	if (posix_trace_attr_getlogfullpolicy(attr, &policy) == 0 &&
	    policy == POSIX_TRACE_APPEND)
		put_absent(to, "log-max-size", "no limit");
	else
		put_attr_size(to, "log-max-size", attr,
			      posix_trace_attr_getlogsize);
}

static void put_attributes(const struct to *to, trace_id_t trid)
{
	unsigned int depth = 0;
	trace_attr_t attr;

	if (posix_trace_get_attr(trid, &attr) != 0)
		return;
	put_attr_text(to, "generation-version", &attr,
		      posix_trace_attr_getgenversion);
	put_attr_text(to, "trace-name", &attr, posix_trace_attr_getname);
	put_attr_time(to, "creation-time", &attr,
		      posix_trace_attr_getcreatetime);
	put_attr_time(to, "clock-resolution", &attr,
		      posix_trace_attr_getclockres);
	put_attr_size(to, "stream-min-size", &attr,
		      posix_trace_attr_getstreamsize);
	put_attr_name(to, "stream-full-policy", &attr,
		      posix_trace_attr_getstreamfullpolicy);
	put_attr_size(to, "max-data-size", &attr,
		      posix_trace_attr_getmaxdatasize);
	posix_trace_attr_getstackdepth_np(&attr, &depth);
	if (depth > 0)
		put_number(to, "stack-depth", depth);
	else
		put_absent(to, "stack-depth", NULL);
	put_attr_name(to, "inheritance", &attr, posix_trace_attr_getinherited);
	put_log_limit(to, &attr);
	put_attr_name(to, "log-full-policy", &attr,
		      posix_trace_attr_getlogfullpolicy);
}

static void put_status(const struct to *to, trace_id_t trid)
{
	struct posix_trace_status_info status;

	if (posix_trace_get_status(trid, &status) != 0)
		return;
	put_name(to, "stream-status",
		 constant_name(status.posix_stream_status));
	put_name(to, "stream-full",
		 constant_name(status.posix_stream_full_status));
	put_name(to, "stream-overrun",
		 constant_name(status.posix_stream_overrun_status));
	put_name(to, "flush-status",
		 constant_name(status.posix_stream_flush_status));
	if (status.posix_stream_flush_error != 0)
		put_text(to, "flush-error",
			 strerror(status.posix_stream_flush_error));
	else
		put_absent(to, "flush-error", "none");
	put_name(to, "log-overrun",
		 constant_name(status.posix_log_overrun_status));
	put_name(to, "log-full", constant_name(status.posix_log_full_status));
}

/* What is not known of a log that is damaged, or has no end yet. */
static void put_totals(const struct to *to,
		       const struct posix_trace_info_np *info)
{
	if (info->lost_unknown) {
		put_absent(to, "lost", "unknown");
		put_absent(to, "processes", "unknown");
		put_absent(to, "stacks-cut", NULL);
		put_absent(to, "names-refused", NULL);
		put_absent(to, "left-out", NULL);
		put_absent(to, "hot-functions", NULL);
	} else {
		put_number(to, "lost", info->lost);
		put_number(to, "processes", info->processes);
		put_number(to, "stacks-cut", info->stacks_cut);
		put_number(to, "names-refused", info->names_refused);
		put_number(to, "left-out", info->unselected);
		put_number(to, "hot-functions", info->hot_functions);
	}
}

/* Did another process complete the log? */
static void put_controller(const struct to *to,
			   const struct posix_trace_info_np *info)
{
	char text[64];

	if (!info->controller_died) {
		put_absent(to, "controller", NULL);
		return;
	}
	snprintf(text, sizeof(text), "killed; %u process%s went on",
		 info->live_processes, info->live_processes == 1 ? "" : "es");
	put_text(to, "controller", text);
}

static void put_known(const struct to *to, const char *key, const char *text)
{
	if (*text != '\0')
		put_text(to, key, text);
	else
		put_absent(to, key, NULL);
}

static void put_host(const struct to *to,
		     const struct posix_trace_info_np *info)
{
	put_text(to, "host", info->host);
	put_known(to, "machine-id", info->machine_id);
	put_known(to, "boot-id", info->boot_id);
	put_known(to, "time-zone", info->time_zone);
	if (info->clock_kept > 0)
		put_number(to, "clock-error", (uint64_t)info->clock_error);
	else
		put_absent(to, "clock-error", "unknown");
}

static void put_figures(const struct to *to, trace_id_t trid)
{
	struct posix_trace_info_np info;

	if (posix_trace_get_info_np(trid, &info) != 0)
		return;
	put_name(to, "log-state", state_name(info.log_state));
	if (info.bad_size > 0) {
		put_number(to, "bad-offset", info.bad_offset);
		put_number(to, "bad-size", info.bad_size);
	} else {
		put_absent(to, "bad-offset", NULL);
		put_absent(to, "bad-size", NULL);
	}
	put_number(to, "log-size", info.log_size);
	put_number(to, "events", info.events);
	put_totals(to, &info);
	put_controller(to, &info);
	put_number(to, "not-traced", info.untraced);
	put_lines(to, "not-traced-programs", info.untraced_names);
	put_text(to, "clock", info.clock);
	put_host(to, &info);
}

/* Of programs and libraries, and of what JITs made. */
static void put_symbols(const struct to *to, const struct ptl_source *source)
{
	if (source->nr_symbols < 0)
		put_absent(to, "symbols-kept", "unknown");
	else if (source->nr_symbols > 0)
		put_number(to, "symbols-kept", (uint64_t)source->nr_symbols);
	else
		put_absent(to, "symbols-kept", NULL);
}

void ptl_info_fields(struct ptl_source *source, ptl_info_function *put,
		     struct ptl_out *out)
{
	const struct to to = {put, out};

	put_text(&to, "log", source->path);
	put_figures(&to, source->trid);
	put_symbols(&to, source);
	put_attributes(&to, source->trid);
	put_status(&to, source->trid);
}

bool ptl_info_line(const char **lines, const char **line, size_t *size)
{
	*line = *lines;
	*size = strcspn(*line, "\n");
	*lines += *size + ((*line)[*size] == '\n');
	return *lines != *line;
}

void ptl_info_rewind_types(struct ptl_source *source)
{
	posix_trace_eventtypelist_rewind(source->trid);
}

bool ptl_info_next_type(struct ptl_source *source, struct ptl_info_type *type)
{
	int unavailable;

	if (posix_trace_eventtypelist_getnext_id(source->trid, &type->id,
						 &unavailable) != 0 ||
	    unavailable)
		return false;
	type->name = ptl_source_type(source, type->id)->name;
	if (posix_trace_eventid_get_fields_np(source->trid, type->id,
					      type->fields,
					      sizeof(type->fields)) != 0)
		type->fields[0] = '\0';
	return true;
}
