/* SPDX-License-Identifier: MIT */
/* The names of event types; see event_set.h. */
#include "tools/lib/event_set.h"

#include <fnmatch.h>
#include <string.h>

#include "preload/settings/pattern.h"

bool ptl_types_fit(trace_id_t trid, const char *glob, unsigned int *far,
		   char near[TRACE_EVENT_NAME_MAX + 1])
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	int unavailable = 1;
	trace_event_id_t id;

	posix_trace_eventtypelist_rewind(trid);
	while (posix_trace_eventtypelist_getnext_id(trid, &id, &unavailable) ==
		       0 &&
	       !unavailable) {
		unsigned int letters;

		if (posix_trace_eventid_get_name(trid, id, name) != 0)
			continue;
		if (fnmatch(glob, name, 0) == 0)
			return true;
		letters = ptl_pattern_distance(glob, name);
		if (letters >= *far)
			continue;
		*far = letters;
		strcpy(near, name);
	}
	return false;
}

bool ptl_types_is_slip(const char *name, char near[TRACE_EVENT_NAME_MAX + 1])
{
	unsigned int far = PTL_TYPES_SLIP + 1;
	trace_id_t trid;
	bool is_one;

	if (strchr(name, ':') == NULL && strncmp(name, "posix_", 6) != 0)
		return false;
	/* A stream in which nothing is recorded: it knows the system's types.
	 */
	if (posix_trace_create(0, NULL, &trid) != 0)
		return false;
	is_one = ptl_types_fit(trid, name, &far, near);
	posix_trace_shutdown(trid);
	return !is_one && far <= PTL_TYPES_SLIP;
}
