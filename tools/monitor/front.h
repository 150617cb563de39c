/* SPDX-License-Identifier: MIT */
/*
 * The front process: the one that the user started as ptrace-run.  One function
 * for each way of tracing; each returns ptrace-run's exit status.
 */
#ifndef PTL_TOOLS_MONITOR_FRONT_H
#define PTL_TOOLS_MONITOR_FRONT_H

#include <stdbool.h>
#include <sys/types.h>

#include "preload/settings/settings.h"
#include "tools/monitor/process/command.h"
#include "tools/monitor/wire/link.h"
#include "tools/monitor/output/output.h"
#include "tools/monitor/trigger/triggers.h"

/* How to trace, and how to report it. */
struct ptl_run_options {
	struct ptl_settings settings;
	bool is_quiet;
	bool is_verbose;
	bool is_injecting; /* -p: load the library first */
	bool is_strict;	   /* fail if something could not be traced */
	bool waits;	   /* until all traced processes have ended */
	struct ptl_triggers triggers;
	char *viewer; /* shows the events as they come, or NULL */
};

/* Runs the command as a child, and ends as it ended. */
int ptl_front_run(const struct ptl_run_options *options,
		  const struct ptl_command *command, char *const *env);

/* Becomes the command; the controller works alone. */
int ptl_front_become(const struct ptl_run_options *options,
		     const struct ptl_command *command, char *const *env);

/* Traces a running process until it ends or a signal comes. */
int ptl_front_attach(const struct ptl_run_options *options, pid_t pid,
		     char *const *env);

/*
 * For a library that was preloaded without ptrace-run: starts a controller of
 * pid, without messages.  A byte on ready_fd says that tracing has started.
 */
int ptl_front_serve(const struct ptl_settings *settings, pid_t pid,
		    int ready_fd, char *const *env);

/*
 * Starts the controller and waits until it traces target, which has the library
 * loaded, or will become the command.  Returns the link to it; -1 if it failed,
 * which has been reported.
 */
int ptl_front_connect(const struct ptl_run_options *options, pid_t target,
		      bool will_exec, const struct ptl_output *output);

/*
 * Closes all descriptors except standard error, the link and another (or -1),
 * before a long wait: no process must wait for the end of our input and output,
 * which are also the command's.
 */
void ptl_front_let_go(int link_fd, int other_fd);

/*
 * Asks the controller to end, waits for its last report, and shows it to the
 * user.  False: the user wanted everything to be traced (--strict), and that
 * failed.
 */
bool ptl_front_finish(const struct ptl_run_options *options, int link_fd,
		      enum ptl_request request, struct ptl_output *output);

#endif
