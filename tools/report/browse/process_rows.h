/* SPDX-License-Identifier: MIT */
/*
 * The tree of processes as rows of a table, of which some are open: what a
 * process has begun is shown below it then.  Children of one are sorted.
 */
#ifndef PTL_TOOLS_REPORT_BROWSE_PROCESS_ROWS_H
#define PTL_TOOLS_REPORT_BROWSE_PROCESS_ROWS_H

#include "tools/report/browse/reading.h"

extern const struct ptl_column ptl_process_rows_columns[];

/* All zero before. */
struct ptl_process_rows {
	const struct ptl_browse_reading *reading;
	struct ptl_browse_node *node; /* by the number of the process */
	size_t nr;
	size_t *order; /* numbers of all that are not left out, as a tree */
	size_t nr_order;
	struct ptl_table all;	/* a row for each process */
	struct ptl_table table; /* those that are shown; of: the process */
	char **label;		/* of these rows */
	size_t nr_labels;
};

/* Of another reading of the same logs; what is open stays so.  Processes
 * without events are left out, but for what others came from, if is_filtered.
 */
void ptl_process_rows_take(struct ptl_process_rows *rows,
			   const struct ptl_browse_reading *reading,
			   bool is_filtered);
void ptl_process_rows_free(struct ptl_process_rows *rows);

/* Makes the table, of which nothing was made before or something is changed. */
void ptl_process_rows_make(struct ptl_process_rows *rows, const char *sort);

/* Changes what is open; then they are to be made.  Returns false if nothing is
 * changed. */
bool ptl_process_rows_open(struct ptl_process_rows *rows,
			   const struct ptl_process *process, bool is_open);
void ptl_process_rows_open_all(struct ptl_process_rows *rows, bool is_open);
/* So that this one is shown. */
void ptl_process_rows_open_to(struct ptl_process_rows *rows,
			      const struct ptl_process *process);
bool ptl_process_rows_is_open(const struct ptl_process_rows *rows,
			      const struct ptl_process *process);
bool ptl_process_rows_has_children(const struct ptl_process_rows *rows,
				   const struct ptl_process *process);

/* The next one, or the one before, after or before that one in the whole tree,
 * whose words have these in them; NULL: there is none. */
const struct ptl_process *
ptl_process_rows_search(const struct ptl_process_rows *rows,
			const struct ptl_process *from, const char *words,
			bool is_backwards);

#endif
