/* SPDX-License-Identifier: MIT */
/*
 * ptrace-monitor: the program behind ptrace-run, and the controller that a
 * preloaded libptrace.so starts for itself.  This file only decides which of
 * the two, and what is to be traced.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/say.h"
#include "tools/monitor/check.h"
#include "tools/monitor/front.h"
#include "tools/monitor/functions.h"
#include "tools/monitor/options.h"
#include "tools/monitor/prototypes.h"
#include "tools/monitor/viewer.h"

/* The environment as we found it, for the reader of a pipe. */
static char **copy_environment(void)
{
	size_t nr = 0;
	char **copy;

	while (environ[nr] != NULL)
		nr++;
	copy = ptl_alloc((nr + 1) * sizeof(*copy));
	memcpy(copy, environ, nr * sizeof(*copy));
	return copy;
}

static int run_command(const struct ptl_command_line *line, char **env)
{
	const struct ptl_settings *settings = &line->options.settings;
	struct ptl_command command;
	char *library = ptl_command_library();
	int error;

	if (library == NULL)
		return PTL_EXIT_OWN_FAILURE;
	if (line->options.is_verbose)
		ptl_say("preloading %s", library);
	ptl_command_environment(library, line->env, line->nr_env);
	ptl_command_line_hand_on(line);
	/* An empty list: children do not start a trace of their own either. */
	if (!settings->follows)
		setenv("PTRACE_STREAMS", "", 1);
	error = ptl_command_find(&command, line->command);
	if (error != 0)
		return ptl_command_fail(line->command[0], error);
	ptl_check_calls(settings, &command);
	ptl_check_unwinder(settings);
	ptl_monitor_find_prototypes(
		settings,
		&(struct ptl_monitor_objects){.program = command.file,
					      .words = command.argv},
		line->options.is_verbose);
	ptl_monitor_select_prototypes(settings);
	ptl_monitor_find_functions(settings, command.file);
	if (line->detaches)
		return ptl_front_become(&line->options, &command, env);
	return ptl_front_run(&line->options, &command, env);
}

static int attach(struct ptl_command_line *line, char **env)
{
	struct ptl_settings *settings = &line->options.settings;

	ptl_command_line_hand_on(line);
	if (line->options.is_injecting) {
		ptl_monitor_find_prototypes(
			settings,
			&(struct ptl_monitor_objects){.pid = line->pid},
			line->options.is_verbose);
		ptl_monitor_select_prototypes(settings);
		ptl_monitor_find_functions_of(settings, line->pid);
	}
	return ptl_front_attach(&line->options, line->pid, env);
}

/* The library has reported invalid values in the environment. */
static int serve(struct ptl_command_line *line, char **env)
{
	struct ptl_settings *settings = &line->options.settings;

	ptl_settings_from_environment(settings, environ, NULL);
	ptl_say_as(getenv("PTRACE_DEBUG") != NULL ? "libptrace" : NULL);
	ptl_monitor_prototypes(settings);
	ptl_monitor_find_prototypes(
		settings, &(struct ptl_monitor_objects){.pid = line->pid},
		false);
	ptl_monitor_select_prototypes(settings);
	ptl_monitor_find_functions_of(settings, line->pid);
	return ptl_front_serve(settings, line->pid, line->ready_fd, env);
}

int main(int argc, char **argv)
{
	static char name[] = "ptrace-run";
	struct ptl_command_line line;
	struct ptl_settings *settings = &line.options.settings;
	char **env;

	ptl_say_as(name);
	argv[0] = name; /* in getopt's messages too */
	ptl_command_line_parse(&line, argc, argv);
	env = copy_environment();
	line.options.triggers.env = env;
	line.options.triggers.directory = getcwd(NULL, 0);
	if (line.is_serving)
		return serve(&line, env);
	if (line.lists_functions)
		return ptl_monitor_list_functions(settings, line.command,
						  line.options.is_verbose);
	if (line.lists_sites)
		return ptl_monitor_list_sites(settings, line.command);
	if (line.lists_probes)
		return ptl_monitor_list_probes(settings, line.command);
	if (!ptl_monitor_prototypes(settings))
		ptl_say_usage();
	if (!line.options.is_quiet)
		ptl_check_excluded(settings->exclude);
	if (settings->is_live &&
	    (line.options.viewer = ptl_viewer_find()) == NULL)
		return PTL_EXIT_OWN_FAILURE;
	if (line.pid > 0)
		return attach(&line, env);
	return run_command(&line, env);
}
