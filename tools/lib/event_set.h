/* SPDX-License-Identifier: MIT */
/* The names of event types, and what an unknown name was probably meant to be.
 */
#ifndef PTL_TOOLS_LIB_EVENT_SET_H
#define PTL_TOOLS_LIB_EVENT_SET_H

#include <trace.h>

#include <stdbool.h>

/* A name with up to so many wrong letters is taken for a misspelling. */
#define PTL_TYPES_SLIP 2

/*
 * Does a type of this stream or log have a name that matches the pattern?  If
 * not, and the closest name differs in fewer than *far letters, it is put into
 * near, and *far is set.
 */
bool ptl_types_fit(trace_id_t trid, const char *glob, unsigned int *far,
		   char near[TRACE_EVENT_NAME_MAX + 1]);

/* Is the name a misspelling of one of the system's event types?  Puts that into
 * near. */
bool ptl_types_is_slip(const char *name, char near[TRACE_EVENT_NAME_MAX + 1]);

#endif
