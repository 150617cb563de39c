/* SPDX-License-Identifier: MIT */
/* What is said of options beside whether they can be parsed. */
#ifndef PTL_TOOLS_MONITOR_CHECK_H
#define PTL_TOOLS_MONITOR_CHECK_H

#include "preload/settings/settings.h"
#include "tools/monitor/process/command.h"

/* The next name of a list of event types; false: there is none. */
bool ptl_check_next_name(const char **list,
			 char name[TRACE_EVENT_NAME_MAX + 1]);

/* Names of event types that are none of ours, and may be a program's. */
void ptl_check_excluded(const char *list);

/* Wrong usage: the family call, where the program reports no calls. */
void ptl_check_calls(const struct ptl_settings *settings,
		     const struct ptl_command *command);

/* Says if the unwinder that was asked for will not be used. */
void ptl_check_unwinder(const struct ptl_settings *settings);

#endif
