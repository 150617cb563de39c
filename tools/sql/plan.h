/* SPDX-License-Identifier: MIT */
/*
 * How a table of events is read for a query: what SQLite's planner is told, and
 * what it hands to the reader then.
 */
#ifndef PTL_TOOLS_SQL_PLAN_H
#define PTL_TOOLS_SQL_PLAN_H

#include <sqlite3.h>

#include "tools/sql/reader.h"

/* Chooses what the reader is to look for of the query's conditions; and which
 * columns it has to know. */
int ptl_sql_plan(const struct ptl_sql *sql, sqlite3_index_info *info);

/* A plan, and the values of its conditions.  Returns what the reader needs. */
unsigned int ptl_sql_plan_take(const struct ptl_sql *sql, const char *plan,
			       int nr, sqlite3_value **values,
			       struct ptl_sql_limits *limits);

#endif
