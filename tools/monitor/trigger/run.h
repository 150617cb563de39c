/* SPDX-License-Identifier: MIT */
/* Commands and files of triggers. */
#ifndef PTL_TOOLS_MONITOR_TRIGGER_RUN_H
#define PTL_TOOLS_MONITOR_TRIGGER_RUN_H

#include "tools/monitor/trigger/triggers.h"

/* What a command is told by its environment. */
struct ptl_run_subject {
	const struct ptl_looked *cause;
	const char *when, *log;
	const char *snapshot; /* or NULL */
};

/* Starts it by a shell, with no input and no output, and does not wait for it.
 */
void ptl_run_command(const struct ptl_triggers *triggers,
		     const struct ptl_run_subject *subject,
		     const char *command);

/*
 * The path of a snapshot: by the user's name, which counts from that directory,
 * with the number for %n; NULL: the log's, with the number.  To be freed;
 * NULL: no memory.
 */
char *ptl_run_path(const char *name, const char *log, const char *directory,
		   unsigned int number);

#endif
