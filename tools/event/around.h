/* SPDX-License-Identifier: MIT */
/* The command that a span is around. */
#ifndef PTL_TOOLS_EVENT_AROUND_H
#define PTL_TOOLS_EVENT_AROUND_H

/* Runs it, and returns its status, as of waitpid(); a signal that asks us to
 * end is handed on to it. */
int ptl_event_run(char **command);

/* The exit status that says that; does not return where a signal does. */
int ptl_event_exit(int status);

#endif
