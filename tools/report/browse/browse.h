/* SPDX-License-Identifier: MIT */
/*
 * ptrace-report --browse: logs looked at in a terminal.  The tree of processes
 * comes first; a process, and then a thread, is opened as a page of its own,
 * which has the views of ptrace-report of what that did.
 */
#ifndef PTL_TOOLS_REPORT_BROWSE_BROWSE_H
#define PTL_TOOLS_REPORT_BROWSE_BROWSE_H

#include "tools/read/merge.h"

struct ptl_browse_settings {
	char *const *paths;
	size_t nr_paths;
	bool wants_color;
	bool is_live; /* what is written meanwhile is shown, too */
};

/* Returns false, and has said why, if this is no terminal. */
bool ptl_browse(const struct ptl_merge *open,
		const struct ptl_browse_settings *settings);

#endif
