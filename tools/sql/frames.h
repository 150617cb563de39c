/* SPDX-License-Identifier: MIT */
/* The frames of the events' call stacks as a virtual table of SQLite. */
#ifndef PTL_TOOLS_SQL_FRAMES_H
#define PTL_TOOLS_SQL_FRAMES_H

#include <sqlite3.h>

#include "tools/sql/reader.h"

/* Makes the table `stack'.  Returns SQLITE_OK or the error. */
int ptl_sql_frames(sqlite3 *db, struct ptl_sql *sql);

#endif
