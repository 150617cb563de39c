/* SPDX-License-Identifier: MIT */
/* A connection that has logs as its tables; see connect.h. */
#include "tools/sql/connect.h"

#include <stdlib.h>

#include "tools/lib/say.h"
#include "tools/sql/columns.h"
#include "tools/sql/events.h"
#include "tools/sql/frames.h"
#include "tools/sql/guard.h"
#include "tools/sql/tables.h"
#include "tools/sql/vtab.h"

/* ---- the tables with few rows ---------------------------------------- */

/* What a module is given. */
struct maker {
	struct ptl_sql *sql;
	const struct ptl_sql_table *table;
};

static const struct maker *maker_of(const sqlite3_vtab *table)
{
	return ((const struct ptl_sql_vtab *)table)->of;
}

struct cursor {
	sqlite3_vtab_cursor base;
	const struct ptl_sql_facts *facts;
	struct ptl_merge *merge; /* as far as it was read for the table */
	size_t row, nr;
};

static int connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
		   sqlite3_vtab **made, char **why)
{
	const struct maker *maker = aux;

	(void)argc;
	(void)argv;
	(void)why;
	return ptl_sql_vtab_connect(db, maker->table->columns, maker, made);
}

/* A row by its number, which others refer to. */
static int best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
	bool is_numbered = maker_of(base)->table->is_numbered;

	info->estimatedCost = 10000;
	info->estimatedRows = 1000;
	for (int i = 0; is_numbered && i < info->nConstraint; i++) {
		if (!info->aConstraint[i].usable ||
		    info->aConstraint[i].iColumn != 0 ||
		    info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ)
			continue;
		info->aConstraintUsage[i].argvIndex = 1;
		info->idxNum = 1;
		info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
		info->estimatedCost = 10;
		info->estimatedRows = 1;
		break;
	}
	return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **made)
{
	struct cursor *cursor = ptl_alloc(sizeof(*cursor));

	(void)table;
	*made = &cursor->base;
	return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
	free(cursor);
	return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *base, int has_number, const char *plan,
		  int nr, sqlite3_value **values)
{
	const struct maker *maker = maker_of(base->pVtab);
	struct cursor *cursor = (struct cursor *)base;
	bool wants_waits = maker->table->needs_waits;
	sqlite3_int64 number;

	(void)plan;
	(void)nr;
	cursor->merge = maker->sql->merge;
	if (maker->table->needs_facts) {
		cursor->facts = ptl_sql_facts(maker->sql, wants_waits);
		if (cursor->facts == NULL)
			return ptl_sql_stopped(base->pVtab, maker->sql);
		cursor->merge = &maker->sql->read_facts[wants_waits]->merge;
	}
	cursor->row = 0;
	cursor->nr = maker->table->nr(cursor->facts, cursor->merge);
	if (!has_number)
		return SQLITE_OK;
	number = sqlite3_value_type(values[0]) != SQLITE_NULL ?
			 sqlite3_value_int64(values[0]) :
			 0;
	if (number < 1 || (size_t)number > cursor->nr)
		cursor->nr = 0;
	else
		cursor->row = (size_t)number - 1;
	if (cursor->nr > 0)
		cursor->nr = (size_t)number;
	return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *base)
{
	((struct cursor *)base)->row++;
	return SQLITE_OK;
}

static int is_at_end(sqlite3_vtab_cursor *base)
{
	const struct cursor *cursor = (const struct cursor *)base;

	return cursor->row >= cursor->nr;
}

static int get_column(sqlite3_vtab_cursor *base, sqlite3_context *to, int i)
{
	const struct maker *maker = maker_of(base->pVtab);
	const struct cursor *cursor = (const struct cursor *)base;
	struct ptl_sql_value value =
		maker->table->get(cursor->facts, cursor->merge, cursor->row, i);

	ptl_sql_result(to, &value);
	return SQLITE_OK;
}

static int get_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid)
{
	*rowid = (sqlite3_int64)((struct cursor *)base)->row + 1;
	return SQLITE_OK;
}

static int make_tables(sqlite3 *db, struct ptl_sql *sql)
{
	static const sqlite3_module module = {
		.iVersion = 1,
		.xConnect = connect,
		.xBestIndex = best_index,
		.xDisconnect = ptl_sql_vtab_disconnect,
		.xOpen = open_cursor,
		.xClose = close_cursor,
		.xFilter = filter,
		.xNext = next,
		.xEof = is_at_end,
		.xColumn = get_column,
		.xRowid = get_rowid,
	};
	int rc = SQLITE_OK;

	for (size_t i = 0; rc == SQLITE_OK && ptl_sql_tables[i].name != NULL;
	     i++) {
		struct maker *maker = ptl_alloc(sizeof(*maker));

		maker->sql = sql;
		maker->table = &ptl_sql_tables[i];
		rc = sqlite3_create_module_v2(db, maker->table->name, &module,
					      maker, free);
	}
	return rc;
}

/* ---- the connection --------------------------------------------------- */

/* Functions that are tables, which SQLite makes when they are used first: that
 * is not allowed any more then.  Some of them may not be there. */
static void meet_functions(sqlite3 *db)
{
	static const char *const functions[] = {
		"json_each('[]')", "json_tree('[]')",
		"pragma_table_info('log')", "pragma_table_xinfo('log')",
		"pragma_function_list"};

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		char *query = sqlite3_mprintf("SELECT 1 FROM %s", functions[i]);

		sqlite3_exec(db, query, NULL, NULL, NULL);
		sqlite3_free(query);
	}
}

sqlite3 *ptl_sql_connect(struct ptl_sql *sql)
{
	sqlite3 *db = NULL;
	int rc = sqlite3_open_v2(":memory:", &db,
				 SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
					 SQLITE_OPEN_NOMUTEX,
				 NULL);

	if (rc == SQLITE_OK)
		rc = ptl_sql_events(db, sql);
	if (rc == SQLITE_OK)
		rc = ptl_sql_frames(db, sql);
	if (rc == SQLITE_OK)
		rc = make_tables(db, sql);
	/* What does not fit into memory would go into a file else. */
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(db,
				  "PRAGMA temp_store = MEMORY; "
				  "CREATE TEMP VIEW " PTL_SQL_CALL_VIEW ";"
				  "CREATE TEMP VIEW " PTL_SQL_SAMPLE_VIEW ";"
				  "CREATE TEMP VIEW " PTL_SQL_OFF_VIEW,
				  NULL, NULL, NULL);
	if (rc == SQLITE_OK) {
		meet_functions(db);
		ptl_sql_guard(db);
		return db;
	}
	ptl_say("--sql: %s",
		db != NULL ? sqlite3_errmsg(db) : sqlite3_errstr(rc));
	sqlite3_close(db);
	return NULL;
}
