/* SPDX-License-Identifier: MIT */
/* The rows of an answer: as a table, as JSON, a line for each, or as CSV. */
#ifndef PTL_TOOLS_REPORT_SQL_PRINT_H
#define PTL_TOOLS_REPORT_SQL_PRINT_H

#include <sqlite3.h>

enum ptl_sql_format { PTL_SQL_TABLE, PTL_SQL_JSON, PTL_SQL_CSV };

/* Standard output. */
void ptl_sql_print_open(enum ptl_sql_format format);

/* Of a statement: before its first row, each row, and behind the last. */
void ptl_sql_print_begin(sqlite3_stmt *statement);
void ptl_sql_print_row(sqlite3_stmt *statement);
void ptl_sql_print_end(void);

#endif
