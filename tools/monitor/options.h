/* SPDX-License-Identifier: MIT */
/* The command line of ptrace-run. */
#ifndef PTL_TOOLS_MONITOR_OPTIONS_H
#define PTL_TOOLS_MONITOR_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "tools/monitor/front.h"

struct ptl_command_line {
	struct ptl_run_options options;
	char **env; /* -E */
	size_t nr_env, env_room;
	pid_t pid; /* -p, --attach */
	bool detaches;
	bool lists_functions;
	bool lists_sites;  /* --reach-list */
	bool lists_probes; /* --probes-list */
	bool is_serving;   /* --attach */
	int ready_fd;
	char **command; /* NULL: there is none */
};

/* Wrong usage ends the program with two lines that say so; so do --help and
 * --version. */
void ptl_command_line_parse(struct ptl_command_line *line, int argc,
			    char **argv);

/* The settings of the library in the traced processes, into the environment. */
void ptl_command_line_hand_on(const struct ptl_command_line *line);

#endif
