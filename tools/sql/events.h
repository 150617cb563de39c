/* SPDX-License-Identifier: MIT */
/* The events as a virtual table of SQLite. */
#ifndef PTL_TOOLS_SQL_EVENTS_H
#define PTL_TOOLS_SQL_EVENTS_H

#include <sqlite3.h>

#include "tools/sql/reader.h"

/* Makes the table `event'.  Returns SQLITE_OK or the error. */
int ptl_sql_events(sqlite3 *db, struct ptl_sql *sql);

#endif
