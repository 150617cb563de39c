/* SPDX-License-Identifier: MIT */
/* Statements in SQL, one after the other: of an argument, or of a shell. */
#ifndef PTL_TOOLS_REPORT_SQL_SHELL_H
#define PTL_TOOLS_REPORT_SQL_SHELL_H

#include "tools/report/sql_print.h"
#include "tools/sql/reader.h"

/* What query says, or, "-", standard input.  Returns PTL_EXIT_OK, or
 * PTL_EXIT_USAGE if a statement was wrong, which it has said; SIGINT ends the
 * program, or on a terminal the statement. */
int ptl_sql_ask(sqlite3 *db, struct ptl_sql *sql, const char *query,
		enum ptl_sql_format format);

#endif
