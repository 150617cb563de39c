/* SPDX-License-Identifier: MIT */
/* What the virtual tables have in common. */
#ifndef PTL_TOOLS_SQL_VTAB_H
#define PTL_TOOLS_SQL_VTAB_H

#include <sqlite3.h>

#include "tools/sql/reader.h"
#include "tools/sql/value.h"

struct ptl_sql_vtab {
	sqlite3_vtab base;
	const void *of; /* what the module was made with */
};

/* For xConnect, the columns as CREATE TABLE has them; and for xDisconnect. */
int ptl_sql_vtab_connect(sqlite3 *db, const char *columns, const void *of,
			 sqlite3_vtab **made);
int ptl_sql_vtab_disconnect(sqlite3_vtab *table);

/* A value becomes SQLite's. */
void ptl_sql_result(sqlite3_context *to, const struct ptl_sql_value *value);

/* A reader could not go on: says why, to whom the table belongs. */
int ptl_sql_stopped(sqlite3_vtab *table, const struct ptl_sql *sql);

#endif
