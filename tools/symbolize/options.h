/* SPDX-License-Identifier: MIT */
/* Options of all tools that look for symbols; their rows are in options.def. */
#ifndef PTL_TOOLS_SYMBOLIZE_OPTIONS_H
#define PTL_TOOLS_SYMBOLIZE_OPTIONS_H

#include "tools/lib/options.h"

/* --symfs, --no-symbols, --no-demangle. */
void ptl_symbolize_below(void *into, const struct ptl_option *option,
			 const char *argument);
void ptl_symbolize_nothing(void *into, const struct ptl_option *option,
			   const char *argument);
void ptl_symbolize_plain(void *into, const struct ptl_option *option,
			 const char *argument);

#endif
