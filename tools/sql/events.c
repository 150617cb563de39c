/* SPDX-License-Identifier: MIT */
/* The events as a virtual table; see events.h. */
#include "tools/sql/events.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/say.h"
#include "tools/sql/columns.h"
#include "tools/sql/plan.h"
#include "tools/sql/vtab.h"

static struct ptl_sql *sql_of(const sqlite3_vtab *table)
{
	return (struct ptl_sql *)((const struct ptl_sql_vtab *)table)->of;
}

struct cursor {
	sqlite3_vtab_cursor base;
	struct ptl_sql_reader reader;
};

static int connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
		   sqlite3_vtab **made, char **why)
{
	char declared[2048];
	size_t used = 0;

	(void)argc;
	(void)argv;
	(void)why;
	for (size_t i = 0; i < ptl_sql_nr_columns(); i++)
		used += (size_t)snprintf(
			declared + used, sizeof(declared) - used, "%s%s %s",
			i > 0 ? ", " : "", ptl_sql_columns[i].name,
			ptl_sql_columns[i].type);
	return ptl_sql_vtab_connect(db, declared, aux, made);
}

static int best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	return ptl_sql_plan(sql_of(table), info);
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **made)
{
	struct cursor *cursor = ptl_alloc(sizeof(*cursor));

	(void)table;
	*made = &cursor->base;
	return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
	struct cursor *cursor = (struct cursor *)base;

	ptl_sql_reader_close(&cursor->reader);
	free(cursor);
	return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *base)
{
	struct cursor *cursor = (struct cursor *)base;

	if (ptl_sql_reader_next(&cursor->reader))
		return SQLITE_OK;
	return ptl_sql_stopped(base->pVtab, cursor->reader.sql);
}

static int filter(sqlite3_vtab_cursor *base, int number, const char *plan,
		  int nr, sqlite3_value **values)
{
	struct cursor *cursor = (struct cursor *)base;
	struct ptl_sql *sql = sql_of(base->pVtab);
	struct ptl_sql_limits limits;
	unsigned int needs = ptl_sql_plan_take(sql, plan, nr, values, &limits);

	(void)number;
	ptl_sql_reader_close(&cursor->reader);
	if (limits.is_nothing) {
		cursor->reader.is_at_end = true;
		return SQLITE_OK;
	}
	if (!ptl_sql_reader_open(&cursor->reader, sql, needs, &limits))
		return ptl_sql_stopped(base->pVtab, sql);
	return next(base);
}

static int is_at_end(sqlite3_vtab_cursor *base)
{
	return ((struct cursor *)base)->reader.is_at_end;
}

static int get_column(sqlite3_vtab_cursor *base, sqlite3_context *to, int i)
{
	const struct cursor *cursor = (const struct cursor *)base;
	struct ptl_sql_value value =
		ptl_sql_columns[i].get(&cursor->reader.row);

	ptl_sql_result(to, &value);
	return SQLITE_OK;
}

static uint64_t mix(uint64_t hash, uint64_t more)
{
	hash = (hash ^ more) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* SQLite tells rows apart by it that two readings of the log give, as for two
 * times with an OR between them.  The number of the event is not known where
 * what is before it was not read. */
static int get_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid)
{
	const struct ptl_sql_row *row = &((struct cursor *)base)->reader.row;
	const struct posix_trace_event_info *event = &row->source->event;
	uint64_t hash = mix(mix(row->log, row->time), row->same);

	hash = mix(hash, (uint64_t)event->posix_tid_np);
	hash = mix(hash, event->posix_event_id);
	for (size_t i = 0; i < row->source->data_size; i++)
		hash = mix(hash, (unsigned char)row->source->data[i]);
	*rowid = (sqlite3_int64)hash;
	return SQLITE_OK;
}

int ptl_sql_events(sqlite3 *db, struct ptl_sql *sql)
{
	/* Without xCreate it is there without having to be made. */
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

	return sqlite3_create_module(db, "event", &module, sql);
}
