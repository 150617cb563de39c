/* SPDX-License-Identifier: MIT */
/* ptrace-event NAME KEY=VALUE...: a typed event. */
#ifndef PTL_TOOLS_EVENT_FIELDS_H
#define PTL_TOOLS_EVENT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <trace.h>

/* Is it KEY=VALUE? */
bool ptl_event_is_pair(const char *word);

/* Are all of them? */
bool ptl_event_has_fields(char *const *pairs);

/* What an event is made of. */
struct ptl_event_parts {
	trace_event_id_t id;
	const char *data;
	size_t size;
};

/*
 * Makes one of them, to be kept.  A type keeps the fields of its first event: a
 * whole number is also a number, and both are also text.  Returns 0 or the
 * error number; a usage error ends the program.
 */
int ptl_event_make(const char *name, char *const *pairs,
		   struct ptl_event_parts *parts);

#endif
