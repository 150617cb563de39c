/* SPDX-License-Identifier: MIT */
/* ptrace-event --gauge, --counter; see values.h. */
#include "tools/event/values.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

void ptl_event_value_parse(struct ptl_event_value *value, const char *word,
			   const char *mark)
{
	const char *equals = strrchr(word, '=');
	size_t size = equals != NULL ? (size_t)(equals - word) : 0;
	char *end = NULL;

	if (equals != NULL && !isspace((unsigned char)equals[1]))
		value->number = strtod(equals + 1, &end);
	if (end == NULL || end == equals + 1 || *end != '\0' ||
	    !isfinite(value->number)) {
		ptl_say("--%s: %s: not NAME=VALUE with a number", mark, word);
		ptl_say_usage();
	}
	if (size >= sizeof(value->name))
		size = sizeof(value->name) - 1;
	memcpy(value->name, word, size);
	value->name[size] = '\0';
}

/* A program may have made it one of integers. */
static int open_integers(const struct ptl_event_value *value, const char *mark,
			 trace_event_id_t *id)
{
	char fields[32];

	if (value->number != (double)(int64_t)value->number)
		return EEXIST;
	snprintf(fields, sizeof(fields), "value:i.%s", mark);
	return posix_trace_eventid_open_fields_np(value->name, fields, id);
}

int ptl_event_value_record(const struct ptl_event_value *value,
			   const char *mark)
{
	trace_event_id_t id;
	char fields[32];
	int64_t integer;
	int error;

	snprintf(fields, sizeof(fields), "value:f.%s", mark);
	error = posix_trace_eventid_open_fields_np(value->name, fields, &id);
	if (error == 0)
		posix_trace_event(id, &value->number, sizeof(value->number));
	if (error != EEXIST || value->number < -9e18 || value->number > 9e18)
		return error;
	error = open_integers(value, mark, &id);
	integer = (int64_t)value->number;
	if (error == 0)
		posix_trace_event(id, &integer, sizeof(integer));
	return error;
}
