/* SPDX-License-Identifier: MIT */
/* ptrace-event --gauge, --counter: NAME=VALUE. */
#ifndef PTL_TOOLS_EVENT_VALUES_H
#define PTL_TOOLS_EVENT_VALUES_H

#include <trace.h>

struct ptl_event_value {
	char name[TRACE_EVENT_NAME_MAX + 2]; /* one more: then it is too long */
	double number;
};

/* A usage error ends the program. */
void ptl_event_value_parse(struct ptl_event_value *value, const char *word,
			   const char *mark);

/* Returns 0 or the error number. */
int ptl_event_value_record(const struct ptl_event_value *value,
			   const char *mark);

#endif
