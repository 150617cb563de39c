/* SPDX-License-Identifier: MIT */
/* ptrace-event NAME KEY=VALUE...: a typed event. */
#ifndef PTL_TOOLS_EVENT_FIELDS_H
#define PTL_TOOLS_EVENT_FIELDS_H

#include <stdbool.h>

/* Are all of them KEY=VALUE? */
bool ptl_event_has_fields(char *const *pairs);

/*
 * Records them.  A type keeps the fields of its first event: a whole number is
 * also a number, and both are also text.  Returns 0 or the error number; a
 * usage error ends the program.
 */
int ptl_event_put_fields(const char *name, char *const *pairs);

#endif
