/* SPDX-License-Identifier: MIT */
/* Patterns of -l, -r and --only that match nothing. */
#ifndef PTL_TOOLS_MONITOR_GLOBS_H
#define PTL_TOOLS_MONITOR_GLOBS_H

#include "preload/settings/settings.h"

/* Reports them from the events of a complete log, if it is a file: call:hooks,
 * process:start. */
void ptl_globs_say_unused(const struct ptl_settings *settings,
			  const char *path);

#endif
