/* SPDX-License-Identifier: MIT */
/* -f: functions inside of programs.  What is known of them a program of its own
 * finds out, tools/plan/main.c. */
#ifndef PTL_TOOLS_MONITOR_FUNCTIONS_H
#define PTL_TOOLS_MONITOR_FUNCTIONS_H

#include <trace.h>

#include "preload/settings/settings.h"

/*
 * Becomes the program that lists what could be traced (--functions-list), for
 * these patterns with commas between.  The name is a command, or a file that
 * need not be executable.  Returns the exit status if it cannot.
 */
int ptl_monitor_list_functions(const char *patterns, char **command,
			       bool is_verbose);

/*
 * With -f, has the patches made for a program and its libraries, or for those
 * of a process.  What cannot be, and patterns that mean nothing, are reported;
 * the program runs in any case.
 */
void ptl_monitor_find_functions(const struct ptl_settings *settings,
				const char *program);
void ptl_monitor_find_functions_of(const struct ptl_settings *settings,
				   pid_t pid);

/* Gives a stream what was found.  Returns 0 or the error number. */
int ptl_monitor_give_functions(trace_id_t trid);

#endif
