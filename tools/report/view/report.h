/* SPDX-License-Identifier: MIT */
/*
 * The views.  A view is a struct ptl_report_view in a file of its own, and a
 * row in views.c; the options and the usage text are made from the rows.  All
 * that a view keeps is in what its begin() returns, so that several can run at
 * once, and one over several logs.
 */
#ifndef PTL_TOOLS_REPORT_VIEW_REPORT_H
#define PTL_TOOLS_REPORT_VIEW_REPORT_H

#include "tools/lib/out.h"
#include "tools/model/model.h"
#include "tools/report/show/table.h"

/* What the user wants of a view. */
struct ptl_report_settings {
	const char *sort; /* a column's key, or NULL */
	size_t top;	  /* rows; 0: not said */
	const char *path; /* --path, or NULL */
	bool wants_callers;
	uint64_t page_size; /* bytes of --html; 0: not said */
};

struct ptl_report_view {
	const char *name;  /* of the option; NULL: the default */
	const char *about; /* in the usage text; a line */

	/* The families that it is about, ended by 0.  Those that are missing
	 * are named; of a view that takes what there is, if all are. */
	const enum ptl_family *needs;
	bool takes_any;

	const struct ptl_column *column;
	const char *sort; /* the key of the column that it is sorted by */

	/* For --diff: the keys of the columns that say what a row is about,
	 * with blanks between; or what says it.  And what is compared, if it is
	 * not the column that it is sorted by. */
	const char *identity;
	const char *(*identify)(const void *row_of);
	const char *compared;

	void *(*begin)(const struct ptl_report_settings *settings,
		       struct ptl_model *model);
	void (*event)(void *of, const struct ptl_step *step);
	/* An event that is not wanted, as those of another time: what wanted
	 * ones have to be known by.  NULL: that is nothing. */
	void (*learn)(void *of, const struct ptl_step *step);
	bool learns_later; /* also from those behind the wanted time */
	/* After the last event: makes the rows. */
	void (*rows)(void *of, struct ptl_model *model,
		     struct ptl_table *table);
	void (*free)(void *of);

	/* Each may be NULL.  Lines above and behind the table, those below a
	 * row, and in JSON members of the report and of a row. */
	void (*above)(void *of, struct ptl_model *model);
	void (*after)(void *of, struct ptl_model *model);
	void (*below)(const void *row_of, size_t column);
	void (*members)(void *of, struct ptl_model *model, struct ptl_out *out);
	bool has_long_members; /* the page does without them */
	void (*more)(struct ptl_out *out, const void *row_of);
};

/* The rows.  The first is the default, NULL is behind the last. */
#define PTL_REPORT_VIEWS 16
extern const struct ptl_report_view
	*const ptl_report_views[PTL_REPORT_VIEWS + 1];

/* --calls with --tree. */
extern const struct ptl_report_view ptl_report_call_tree;

/* What the view of the critical path knows besides its rows, when these are
 * made: the path, its last link first. */
struct ptl_strands;
struct ptl_link;
extern const struct ptl_report_view ptl_report_critical_path;
const struct ptl_strands *ptl_report_strands(const void *of);
const struct ptl_link *ptl_report_links(const void *of, size_t *nr);

/* The page asks these for more of their rows: of waits what was done meanwhile,
 * the longest of it, as one text. */
extern const struct ptl_report_view ptl_report_locks, ptl_report_waits;
void ptl_report_put_meanwhile(struct ptl_out *out, const void *row_of);

/* What the view of memory knows besides its rows. */
extern const struct ptl_report_view ptl_report_memory;
struct ptl_heaps;
const struct ptl_heaps *ptl_report_heaps(const void *of);

#endif
