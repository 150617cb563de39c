/* SPDX-License-Identifier: MIT */
/* The threads, as a view: how many events of each, and how many failed. */
#ifndef PTL_TOOLS_REPORT_BROWSE_THREADS_H
#define PTL_TOOLS_REPORT_BROWSE_THREADS_H

#include "tools/report/view/report.h"

extern const struct ptl_report_view ptl_browse_threads;

/* What a row of it is about. */
struct ptl_browse_thread {
	const struct ptl_process *process;
	const char *name; /* or NULL */
	pid_t tid;
	int64_t first, last; /* ns: its events */
	uint64_t events, failed;
};

/* All of them: NULL before the first, and behind the last. */
const struct ptl_browse_thread *
ptl_browse_threads_next(const void *of, const struct ptl_browse_thread *thread);

#endif
