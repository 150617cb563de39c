/* SPDX-License-Identifier: MIT */
/* -f: functions inside of programs.  What is known of them a program of its own
 * finds out, tools/functions/main.c. */
#ifndef PTL_TOOLS_MONITOR_FUNCTIONS_H
#define PTL_TOOLS_MONITOR_FUNCTIONS_H

#include <trace.h>

#include "preload/settings/settings.h"

struct ptl_patch_source;

/*
 * Becomes the program that lists what could be traced (--functions-list), for
 * the patterns of the settings.  The name is a command, or a file that
 * need not be executable.  Returns the exit status if it cannot.
 */
int ptl_monitor_list_functions(const struct ptl_settings *settings,
			       char **command, bool is_verbose);

/* Becomes the one that lists the system calls of a program (--reach-list). */
int ptl_monitor_list_sites(const struct ptl_settings *settings, char **command);

/* Becomes the one that lists the probes of a program and its libraries
 * (--probes-list): those that fit its arguments, or all. */
int ptl_monitor_list_probes(const struct ptl_settings *settings,
			    char **command);

/* Are functions inside of programs, or probes, wanted? */
bool ptl_monitor_patches(const struct ptl_settings *settings);

/* Are system calls past libc wanted (--reach raw)? */
bool ptl_monitor_reaches(const struct ptl_settings *settings);

/* Is what names need to be kept (--symbols)? */
bool ptl_monitor_keeps(const struct ptl_settings *settings);

/*
 * With -f, and --reach, has the patches made for a program and its libraries,
 * or for those of a process.  What cannot be, and patterns that mean nothing,
 * are reported; the program runs in any case.
 */
void ptl_monitor_find_functions(const struct ptl_settings *settings,
				const char *program);
void ptl_monitor_find_functions_of(const struct ptl_settings *settings,
				   pid_t pid);

/*
 * Starts the helper with a file that a process has open, for the patches of
 * that alone (PTL_PATCH_OBJECT ...), which it writes `to' a file; the name is
 * what the process calls it.  `alive' stays open until the helper is gone.  -1:
 * errno.
 */
pid_t ptl_monitor_start_helper(const struct ptl_settings *settings,
			       const char *name, uint32_t what, int file,
			       int to, int alive);

/* Gives a stream what was found, and where processes ask for more (NULL:
 * nowhere).  Returns 0 or the error number. */
int ptl_monitor_give_functions(trace_id_t trid,
			       const struct ptl_patch_source *source);

#endif
