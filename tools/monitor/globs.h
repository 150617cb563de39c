/* SPDX-License-Identifier: MIT */
/* Patterns of -l and -r that match nothing. */
#ifndef PTL_TOOLS_MONITOR_GLOBS_H
#define PTL_TOOLS_MONITOR_GLOBS_H

#include "preload/settings/settings.h"

/* Reports them from the call:hooks events of a complete log, if it is a file.
 */
void ptl_globs_say_unused(const struct ptl_settings *settings,
			  const char *path);

#endif
