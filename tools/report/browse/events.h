/* SPDX-License-Identifier: MIT */
/* The events themselves, as ptrace-dump shows them. */
#ifndef PTL_TOOLS_REPORT_BROWSE_EVENTS_H
#define PTL_TOOLS_REPORT_BROWSE_EVENTS_H

#include "tools/report/browse/reading.h"

/* Of the logs and the scope; where, since and until may be NULL. */
struct ptl_browse_events {
	char *const *paths;
	size_t nr_paths;
	const struct ptl_process *process; /* NULL: all */
	bool with_children;
	pid_t tid; /* 0: all */
	const char *where, *since, *until;
};

/* Returns false if there is no ptrace-dump. */
bool ptl_browse_events(const struct ptl_browse_events *events);

#endif
