/* SPDX-License-Identifier: MIT */
/*
 * What a view shows: rows of numbers and names, sorted by one of the columns;
 * as text, or in JSON.
 */
#ifndef PTL_TOOLS_REPORT_SHOW_TABLE_H
#define PTL_TOOLS_REPORT_SHOW_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PTL_TABLE_COLUMNS 14

struct ptl_column {
	const char *heading; /* "": not in the text */
	const char *key;     /* for --sort and JSON; NULL: in neither of them */
	enum ptl_column_kind {
		PTL_COLUMN_COUNT,
		PTL_COLUMN_ERRORS,   /* a count, red if it is not 0 */
		PTL_COLUMN_DURATION, /* ns */
		PTL_COLUMN_TIME,     /* ns since the first event; the earliest
					comes first */
		PTL_COLUMN_BYTES,
		PTL_COLUMN_RATE,     /* bytes/s, shown in 10^6 bytes/s */
		PTL_COLUMN_PERMILLE, /* shown in percent */
		PTL_COLUMN_RATIO,    /* in thousandths, shown as a factor */
		PTL_COLUMN_REAL,     /* any number, in `real' */
		PTL_COLUMN_TEXT,
		PTL_COLUMN_PATH, /* text that is cut in its middle */
	} kind;
};

struct ptl_cell {
	bool is_known;
	bool is_least;	 /* it may be more: shown as ≥3, or 3s+ for times */
	bool is_failure; /* red */
	bool is_signed;	 /* with a + if it is more than 0 */
	int64_t number;
	double real;	  /* the same, with what is behind its point */
	const char *text; /* foreign bytes */
};

struct ptl_row {
	struct ptl_cell cell[PTL_TABLE_COLUMNS];
	const void *of; /* what it is about, for the view */
	size_t rank;	/* the order in which rows were made */
};

struct ptl_table {
	const struct ptl_column *column; /* one without heading ends them */
	size_t nr_columns;
	struct ptl_row *row;
	size_t nr, room;
	size_t top;	    /* rows that are wanted; a view that leaves out
			       the others itself makes it SIZE_MAX */
	size_t shown;	    /* rows, after ptl_table_sort() */
	const char *all_by; /* the option that shows all of them */
	unsigned int spare; /* columns that are left out if the last one has
			       no room else: a bit for each */
	bool is_narrow; /* all others may be left out, too, the last ones
			   first, until the last column has half the width */
	size_t by; /* the column that it is sorted by; nr_columns: none */
};

void ptl_table_begin(struct ptl_table *table, const struct ptl_column *column);
void ptl_table_free(struct ptl_table *table);

/* A new row, all unknown. */
struct ptl_row *ptl_table_row(struct ptl_table *table, const void *of);

struct ptl_cell ptl_cell_number(int64_t number);
struct ptl_cell ptl_cell_real(double real);
/* Unknown if it is negative. */
struct ptl_cell ptl_cell_maybe(int64_t number);
/* Unknown if it is NULL. */
struct ptl_cell ptl_cell_text(const char *text);

/* Is a column of words? */
bool ptl_column_is_text(const struct ptl_column *column);

/* The column with that key; -1: there is none. */
int ptl_table_find(const struct ptl_column *column, const char *key);

/* Of rows with the same value those that were made first come first. */
void ptl_table_sort(struct ptl_table *table, const char *key, size_t top);

/* `below', or NULL, puts lines below a row, from a column on. */
void ptl_table_print(const struct ptl_table *table,
		     void (*below)(const void *of, size_t column));

/* A value as it is shown in a table; buf has PTL_NUMBER_SIZE bytes. */
const char *ptl_table_text(enum ptl_column_kind kind, int64_t number,
			   char *buf);

#endif
