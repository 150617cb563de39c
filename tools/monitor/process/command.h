/* SPDX-License-Identifier: MIT */
/* The program to be traced: its file, its environment, its start. */
#ifndef PTL_TOOLS_MONITOR_PROCESS_COMMAND_H
#define PTL_TOOLS_MONITOR_PROCESS_COMMAND_H

#include <stdbool.h>

/* Exit statuses, as those of env(1). */
enum {
	PTL_EXIT_OWN_FAILURE = 125,
	PTL_EXIT_NOT_EXECUTABLE = 126,
	PTL_EXIT_NOT_FOUND = 127,
};

struct ptl_command {
	char **argv;
	char *file; /* what argv[0] is, with a slash in it */
};

/*
 * The absolute path of the libptrace.so that this program itself uses.  NULL:
 * it cannot be preloaded, which has been reported.
 */
char *ptl_command_library(void);

/*
 * Changes the caller's environment into that of the program: VAR=VAL or VAR (to
 * be removed) from -E, then the library, before others that are preloaded
 * already.
 */
void ptl_command_environment(const char *library, char *const *changes,
			     unsigned long nr_changes);

/* Finds the program along PATH.  Returns 0 or the error number. */
int ptl_command_find(struct ptl_command *command, char **argv);

/* Becomes the program.  Returns the error number. */
int ptl_command_exec(const struct ptl_command *command);

/* Says why the program did not run; returns the exit status for it. */
int ptl_command_fail(const char *name, int error);

/* The last component of a path. */
const char *ptl_command_basename(const char *path);

/*
 * Was the program compiled to report its calls (-finstrument-functions, -pg,
 * -mfentry)?  No for a script, whatever it starts.
 */
bool ptl_command_is_instrumented(const struct ptl_command *command);

#endif
