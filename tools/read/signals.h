/* SPDX-License-Identifier: MIT */
/* Signals and their handlers by name. */
#ifndef PTL_TOOLS_READ_SIGNALS_H
#define PTL_TOOLS_READ_SIGNALS_H

#include "tools/read/modules.h"

/*
 * Gives an event of the family signal arguments that are not in its data: the
 * signal's name, and of its handler function and library.
 */
void ptl_signals_describe(struct ptl_modules *modules,
			  const struct ptl_type *type,
			  const struct posix_trace_event_info *event,
			  struct ptl_args *args);

/* "SIGTERM"; NULL if there is no such signal.  Valid until the next call. */
const char *ptl_signals_name(int64_t signo);

#endif
