/* SPDX-License-Identifier: MIT */
/* See debug_names.h. */
#include "tools/symbolize/debug_names.h"

#include <stddef.h>
#include <string.h>

const char *ptl_debug_section(const char *name)
{
	if (strncmp(name, ".debug_", 7) == 0)
		return name + 7;
	return strncmp(name, ".zdebug_", 8) == 0 ? name + 8 : NULL;
}

bool ptl_debug_has_lines(const char *section)
{
	static const char *const names[] = {
		"abbrev", "addr",     "info",	     "line",  "line_str",
		"ranges", "rnglists", "str_offsets", "types", "str",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(section, names[i]) == 0)
			return true;
	return false;
}
