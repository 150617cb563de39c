/* SPDX-License-Identifier: MIT */
/* -a: what the hooks of -l and -r are to know of functions. */
#ifndef PTL_TOOLS_MONITOR_PROTOTYPES_H
#define PTL_TOOLS_MONITOR_PROTOTYPES_H

#include <trace.h>

#include "preload/settings/settings.h"

/*
 * With -a, learns what is declared by the machine's headers, and in the files
 * of
 * --prototypes.  False: one cannot be used, which has been reported.
 */
bool ptl_monitor_prototypes(const struct ptl_settings *settings);

/* Whose debug information may be of use: a program, and its arguments, which
 * may name others; or what a process has. */
struct ptl_monitor_objects {
	const char *program; /* or NULL */
	char *const *words;  /* or NULL */
	pid_t pid;	     /* or 0 */
};

/*
 * And what the debug information of these, of their libraries, and of files of
 * --prototypes says of other functions that -l and -r may mean.  Nothing if
 * there is none, or libptrace was built without libdw; how much it was is said
 * if is_verbose.
 */
void ptl_monitor_find_prototypes(const struct ptl_settings *settings,
				 const struct ptl_monitor_objects *of,
				 bool is_verbose);

/* After these: keeps those that -l and -r may mean, for the stream. */
void ptl_monitor_select_prototypes(const struct ptl_settings *settings);

/* Gives a stream what was found.  Returns 0 or the error number. */
int ptl_monitor_give_prototypes(trace_id_t trid);

#endif
