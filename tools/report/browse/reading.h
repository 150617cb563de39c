/* SPDX-License-Identifier: MIT */
/*
 * The logs read once more, for what is looked at: some processes or a thread, a
 * time, what an expression is true of.  The views are told of these events
 * alone; the model knows all.
 */
#ifndef PTL_TOOLS_REPORT_BROWSE_READING_H
#define PTL_TOOLS_REPORT_BROWSE_READING_H

#include "tools/report/view/report.h"

/* All of the report, the threads, and the tree of calls. */
#define PTL_READING_VIEWS (PTL_REPORT_VIEWS + 2)

/* Whose events: processes have the same numbers in each reading. */
struct ptl_scope {
	bool is_all;
	size_t process;	    /* its number */
	bool with_children; /* and all that came from it */
	pid_t tid;	    /* its thread alone; 0: all */
};

struct ptl_browse_reading {
	struct ptl_merge merge;
	struct ptl_model model;
	size_t nr_views;
	struct ptl_reading_view {
		const struct ptl_report_view *view;
		void *of;
		struct ptl_table table;
	} view[PTL_READING_VIEWS];
	struct ptl_process **process; /* by number */
	size_t nr_processes;
	uint64_t events; /* that the views were told of */
	bool is_broken_off;
};

/*
 * Reads what was opened once more.  views ends with a NULL; before is an
 * earlier reading of it, or NULL: who came from whom is known from it.  NULL if
 * the logs cannot be opened again.
 */
struct ptl_browse_reading *
ptl_reading_new(const struct ptl_merge *open,
		const struct ptl_report_view *const *views,
		const struct ptl_scope *scope, const struct ptl_filter *filter,
		const struct ptl_browse_reading *before);
void ptl_reading_free(struct ptl_browse_reading *reading);

/* Is the process one of those of the scope? */
bool ptl_scope_has(const struct ptl_scope *scope,
		   const struct ptl_process *process);

#endif
