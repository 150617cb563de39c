/* SPDX-License-Identifier: MIT */
/* What is known of an event type of a log. */
#ifndef PTL_TOOLS_READ_TYPE_H
#define PTL_TOOLS_READ_TYPE_H

#include <trace.h>

#include <stdbool.h>
#include <stddef.h>

#include "tools/lib/decode.h"

/* The system event types of which we know more than their fields. */
enum ptl_kind {
	PTL_KIND_OTHER,
	PTL_KIND_START,
	PTL_KIND_PROGRAM,
	PTL_KIND_FORK,
	PTL_KIND_UNTRACED,
	PTL_KIND_EXEC,
	PTL_KIND_EXEC_FAILED,
	PTL_KIND_EXIT,
	PTL_KIND_THREAD_START,
	PTL_KIND_THREAD_NAME,
	PTL_KIND_THREAD_EXIT,
	PTL_KIND_MAP,
	PTL_KIND_UNMAP,
	PTL_KIND_SYMBOL,
	PTL_KIND_CALL_ENTER,
	PTL_KIND_CALL_EXIT,
	PTL_KIND_OVERFLOW,
	PTL_KIND_RESUME,
};

struct ptl_type {
	trace_event_id_t id;
	char name[TRACE_EVENT_NAME_MAX + 1];
	size_t name_size;
	struct ptl_layout layout;
	enum ptl_kind kind;
	bool is_system;	    /* its data are ours, not the application's */
	bool is_signal;	    /* of family signal */
	signed char wanted; /* by the filter on names: -1 not yet known */
};

/* To be freed with free(). */
struct ptl_type *ptl_type_new(trace_id_t trid, trace_event_id_t id);

#endif
