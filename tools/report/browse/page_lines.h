/* SPDX-License-Identifier: MIT */
/*
 * What is looked at, as a page: all logs, a process or a thread, by some views
 * that one of is shown; and what that says, as lines so wide as the terminal
 * is.  A page is opened from another one, which it goes back to.
 */
#ifndef PTL_TOOLS_REPORT_BROWSE_PAGE_LINES_H
#define PTL_TOOLS_REPORT_BROWSE_PAGE_LINES_H

#include "tools/report/browse/lines.h"
#include "tools/report/browse/process_rows.h"
#include "tools/report/browse/reading.h"

/* A view of it. */
struct ptl_tab {
	const char *name;
	bool is_there;	  /* it has rows, or says something without */
	const char *sort; /* a column's key, or NULL: as the view wants */
	struct ptl_browse_lines lines;
	size_t nr_above;      /* of these, headings */
	size_t nr_rows;	      /* behind them */
	size_t chosen, first; /* of the lines behind the headings */
	bool is_made;
};

struct ptl_browse_page {
	struct ptl_browse_page *from; /* NULL: it is the first */
	struct ptl_scope scope;
	char title[256];
	struct ptl_browse_reading *reading; /* NULL: not read yet */
	unsigned int read_as;		    /* which filter it was read by */
	struct ptl_process_rows processes;
	struct ptl_tab tab[PTL_READING_VIEWS]; /* of the reading's views */
	size_t at;			       /* the one that is shown */
	/* While it is read again: what was chosen. */
	size_t kept_process;
	char kept_words[256];
};

/* Is the tree of processes shown? */
bool ptl_page_is_tree(const struct ptl_browse_page *page);

/* The view that is shown, with its lines. */
struct ptl_tab *ptl_page_tab(struct ptl_browse_page *page);

/* The table that is shown, or NULL; and its row that is chosen, or NULL. */
const struct ptl_table *ptl_page_table(const struct ptl_browse_page *page);
const struct ptl_row *ptl_page_row(struct ptl_browse_page *page);

/* Says all that is known of the chosen row. */
void ptl_page_say_row(void *of_page);

#endif
