/* SPDX-License-Identifier: MIT */
/*
 * What a log says besides its events: its state, figures, attributes, status
 * and event types.  The fields, their names and their order are decided here;
 * how they look is decided by the format.
 */
#ifndef PTL_TOOLS_DUMP_PARTS_INFO_H
#define PTL_TOOLS_DUMP_PARTS_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "tools/read/source.h"
#include "tools/lib/out.h"

struct ptl_info_field {
	const char *key;
	enum {
		PTL_INFO_ABSENT, /* the log does not have it */
		PTL_INFO_NUMBER,
		PTL_INFO_TEXT,
		PTL_INFO_TIME,
		PTL_INFO_LINES, /* each with its newline */
	} kind;
	uint64_t number;
	/* If absent: what people are shown in its place, or NULL. */
	const char *text;
	struct timespec time;
};

typedef void ptl_info_function(struct ptl_out *out,
			       const struct ptl_info_field *field);

/* Each field in its order; every log has the same ones. */
void ptl_info_fields(struct ptl_source *source, ptl_info_function *put,
		     struct ptl_out *out);

/* All of it as text: how --info shows it to people (info_text.c). */
struct ptl_sink;
void ptl_info_text(struct ptl_sink *sink);

/* Takes the first line off a field's lines; false if there is none. */
bool ptl_info_line(const char **lines, const char **line, size_t *size);

struct ptl_info_type {
	trace_event_id_t id;
	const char *name;
	char fields[512]; /* as posix_trace_eventid_get_fields_np() has them */
};

/* The event types, from the first one on: false behind the last. */
void ptl_info_rewind_types(struct ptl_source *source);
bool ptl_info_next_type(struct ptl_source *source, struct ptl_info_type *type);

#endif
