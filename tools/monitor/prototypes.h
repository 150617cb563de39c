/* SPDX-License-Identifier: MIT */
/* -a: what the hooks of -l and -r are to know of functions. */
#ifndef PTL_TOOLS_MONITOR_PROTOTYPES_H
#define PTL_TOOLS_MONITOR_PROTOTYPES_H

#include <trace.h>

#include "preload/settings/settings.h"

/*
 * Finds the prototypes of the functions that -l and -r may mean: those of the
 * machine's headers, and of the file of --prototypes.  False: that cannot be
 * used, which has been reported.
 */
bool ptl_monitor_prototypes(const struct ptl_settings *settings);

/* Gives a stream what was found.  Returns 0 or the error number. */
int ptl_monitor_give_prototypes(trace_id_t trid);

#endif
