/* SPDX-License-Identifier: MIT */
/* What the sections of debug information are called. */
#ifndef PTL_TOOLS_SYMBOLIZE_DEBUG_NAMES_H
#define PTL_TOOLS_SYMBOLIZE_DEBUG_NAMES_H

#include <stdbool.h>

/* Returns what stands behind ".debug_" or ".zdebug_"; NULL: it is another. */
const char *ptl_debug_section(const char *name);

/* By that: is it needed for functions, and the lines that they are of? */
bool ptl_debug_has_lines(const char *section);

#endif
