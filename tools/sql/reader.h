/* SPDX-License-Identifier: MIT */
/*
 * Logs that are asked in SQL, and readers of their events: as many as a query
 * has use for, each of which reads the logs by itself and decodes no more than
 * it needs.
 */
#ifndef PTL_TOOLS_SQL_READER_H
#define PTL_TOOLS_SQL_READER_H

#include <signal.h>

#include "tools/sql/facts.h"
#include "tools/sql/row.h"

struct ptl_sql {
	struct ptl_merge *merge;
	uint64_t begun; /* the time of the first event, ns */
	bool is_sorted; /* no log is damaged, so no event goes back in time */
	double events;	/* about */
	const volatile sig_atomic_t *signo; /* a query is to end; or NULL */
	/* Without waits, and with them; NULL: nobody has asked so far.  And who
	 * read them. */
	struct ptl_sql_facts *facts[2];
	struct ptl_sql_reader *read_facts[2];
};

/* The logs, which stay open, and are not read themselves. */
void ptl_sql_begin(struct ptl_sql *sql, struct ptl_merge *merge);
void ptl_sql_end(struct ptl_sql *sql);

/* What was learned from all events, which reads them if it was not yet.  NULL:
 * that was interrupted, or a log cannot be read again. */
struct ptl_sql_facts *ptl_sql_facts(struct ptl_sql *sql, bool wants_waits);

/* As many as are compared where a query has a list. */
#define PTL_SQL_LISTED 16

struct ptl_sql_limits {
	bool has_since, has_until;
	uint64_t since, until; /* ns */
	size_t nr_names, nr_pids;
	const char *name[PTL_SQL_LISTED]; /* by ptl_intern() */
	int64_t pid[PTL_SQL_LISTED];
	size_t log;  /* 1, 2 ...; 0: all */
	uint64_t id; /* the last event that is wanted; 0: all */
	bool is_nothing;
};

struct ptl_sql_reader {
	struct ptl_sql *sql;
	struct ptl_sql_limits limits;
	struct ptl_merge merge;
	size_t first; /* the number of its first log */
	bool is_open, is_at_end, has_model;
	struct ptl_model model;
	struct ptl_view view;
	struct ptl_step step;
	struct ptl_sql_row row;
};

/* Returns false if the logs cannot be read again. */
bool ptl_sql_reader_open(struct ptl_sql_reader *reader, struct ptl_sql *sql,
			 unsigned int needs,
			 const struct ptl_sql_limits *limits);
void ptl_sql_reader_close(struct ptl_sql_reader *reader);

/* Steps to the next event that is wanted, or is_at_end.  Returns false if it
 * was interrupted. */
bool ptl_sql_reader_next(struct ptl_sql_reader *reader);

#endif
