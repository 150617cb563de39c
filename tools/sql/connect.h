/* SPDX-License-Identifier: MIT */
/* A connection of SQLite that has logs as its tables, and nothing else: it
 * reads no file, writes none, and loads no code. */
#ifndef PTL_TOOLS_SQL_CONNECT_H
#define PTL_TOOLS_SQL_CONNECT_H

#include <sqlite3.h>

#include "tools/sql/reader.h"

/* Returns NULL, and has said why, if there is no memory for it. */
sqlite3 *ptl_sql_connect(struct ptl_sql *sql);

#endif
