/* SPDX-License-Identifier: MIT */
/* The names of event types; see event_set.h. */
#include "tools/lib/event_set.h"

#include <fnmatch.h>
#include <string.h>

/* Only so many letters of a name are compared. */
#define ROW 64

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* The number of letters to change, add or remove (Levenshtein distance). */
static unsigned int distance(const char *a, const char *b)
{
	size_t size = strnlen(b, ROW - 1);
	unsigned int row[ROW];

	for (unsigned int j = 0; j <= size; j++)
		row[j] = j;
	for (unsigned int i = 0; i < ROW && a[i] != '\0'; i++) {
		unsigned int diagonal = row[0];

		row[0] = i + 1;
		for (size_t j = 0; j < size; j++) {
			unsigned int above = row[j + 1];

			diagonal += a[i] != b[j];
			row[j + 1] = least(least(above, row[j]) + 1, diagonal);
			diagonal = above;
		}
	}
	return row[size];
}

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
		letters = distance(glob, name);
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
