/* SPDX-License-Identifier: MIT */
/* What may be done on a connection: to ask. */
#ifndef PTL_TOOLS_SQL_GUARD_H
#define PTL_TOOLS_SQL_GUARD_H

#include <sqlite3.h>

/* From now on nothing can be changed, no file opened and no code loaded; and
 * for a query SQLite takes no more than half of the machine's memory. */
void ptl_sql_guard(sqlite3 *db);

/* For a virtual table that is connected: its columns. */
int ptl_sql_declare(sqlite3 *db, const char *columns);

#endif
