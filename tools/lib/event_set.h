/* SPDX-License-Identifier: MIT */
/* The names of event types, and what was meant by one that there is not. */
#ifndef PTL_TOOLS_LIB_EVENT_SET_H
#define PTL_TOOLS_LIB_EVENT_SET_H

#include <trace.h>

#include <stdbool.h>

/* A name that has so many letters wrong, or fewer, is a slip of the pen. */
#define PTL_TYPES_SLIP 2

/*
 * Does a type of this stream or log have a name that fits the pattern?  If not,
 * the closest name is put into near if it is closer than *far letters, which is
 * set then.
 */
bool ptl_types_fit(trace_id_t trid, const char *glob, unsigned int *far,
		   char near[TRACE_EVENT_NAME_MAX + 1]);

/* Was one of the system's event types meant?  Which. */
bool ptl_types_is_slip(const char *name, char near[TRACE_EVENT_NAME_MAX + 1]);

#endif
