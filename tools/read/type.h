/* SPDX-License-Identifier: MIT */
/* What is known of an event type of a log. */
#ifndef PTL_TOOLS_READ_TYPE_H
#define PTL_TOOLS_READ_TYPE_H

#include <trace.h>

#include <stdbool.h>
#include <stddef.h>

#include "tools/read/kind.h"

struct ptl_type {
	trace_event_id_t id;
	char name[TRACE_EVENT_NAME_MAX + 1];
	size_t name_size;
	struct ptl_layout layout;
	const struct ptl_kind *kind;
	bool is_system;	    /* its data are ours, not the application's */
	bool is_shared;	    /* by all logs: it is the same in each */
	signed char wanted; /* by the filter on names: -1 not yet known */
};

/* To be freed with free() if it is not shared. */
struct ptl_type *ptl_type_get(trace_id_t trid, trace_event_id_t id);

#endif
