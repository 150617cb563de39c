/* SPDX-License-Identifier: MIT */
/* The options of ptrace-dump. */
#ifndef PTL_TOOLS_DUMP_OPTIONS_H
#define PTL_TOOLS_DUMP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/read/filter/filter.h"
#include "tools/dump/parts/format.h"
#include "tools/dump/parts/look.h"

struct ptl_dump_options {
	const struct ptl_format *format;
	const char *output; /* NULL: standard output */
	bool wants_info;
	struct ptl_look look;
	struct ptl_filter filter;
	struct ptl_where *slower; /* NULL: whatever it took */
	char *const *paths;	  /* of the logs */
	size_t nr_paths;
};

/* Wrong usage ends the program with two lines that say so. */
void ptl_options_parse(struct ptl_dump_options *options, int argc, char **argv);

#endif
