/* SPDX-License-Identifier: MIT */
/* See vtab.h. */
#include "tools/sql/vtab.h"

#include <stdlib.h>

#include "tools/lib/say.h"
#include "tools/sql/guard.h"

int ptl_sql_vtab_connect(sqlite3 *db, const char *columns, const void *of,
			 sqlite3_vtab **made)
{
	int rc = ptl_sql_declare(db, columns);
	struct ptl_sql_vtab *table;

	if (rc != SQLITE_OK)
		return rc;
	table = ptl_alloc(sizeof(*table));
	table->of = of;
	*made = &table->base;
	return SQLITE_OK;
}

int ptl_sql_vtab_disconnect(sqlite3_vtab *table)
{
	free(table);
	return SQLITE_OK;
}

void ptl_sql_result(sqlite3_context *to, const struct ptl_sql_value *value)
{
	switch (value->kind) {
	case PTL_SQL_INT:
		sqlite3_result_int64(to, value->number);
		break;
	case PTL_SQL_TEXT:
		sqlite3_result_text64(to, value->text, value->size,
				      SQLITE_TRANSIENT, SQLITE_UTF8);
		break;
	default:
		sqlite3_result_null(to);
	}
}

int ptl_sql_stopped(sqlite3_vtab *table, const struct ptl_sql *sql)
{
	if (sql->signo != NULL && *sql->signo != 0)
		return SQLITE_INTERRUPT;
	sqlite3_free(table->zErrMsg);
	table->zErrMsg = sqlite3_mprintf("a log cannot be read once more");
	return SQLITE_ERROR;
}
