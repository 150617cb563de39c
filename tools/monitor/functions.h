/* SPDX-License-Identifier: MIT */
/* --functions-list: what could be traced of the functions inside a program. */
#ifndef PTL_TOOLS_MONITOR_FUNCTIONS_H
#define PTL_TOOLS_MONITOR_FUNCTIONS_H

#include <stdbool.h>

/*
 * Becomes the program that prints it (tools/plan/main.c), for these patterns
 * with commas between.  The name is a command, or a file that need not be
 * executable.  Returns the exit status if it cannot.
 */
int ptl_monitor_list_functions(const char *patterns, char **command,
			       bool is_verbose);

#endif
