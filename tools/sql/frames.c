/* SPDX-License-Identifier: MIT */
/* The frames of call stacks as a virtual table; see frames.h. */
#include "tools/sql/frames.h"

#include <stdlib.h>

#include "tools/lib/say.h"
#include "tools/sql/frame.h"
#include "tools/sql/tables.h"
#include "tools/sql/vtab.h"

#define NEEDS (PTL_SQL_NEEDS_DATA | PTL_SQL_NEEDS_MODEL | PTL_SQL_NEEDS_ALL)

enum { ID, DEPTH, FRAME };

static struct ptl_sql *sql_of(const sqlite3_vtab *table)
{
	return (struct ptl_sql *)((const struct ptl_sql_vtab *)table)->of;
}

struct cursor {
	sqlite3_vtab_cursor base;
	struct ptl_sql_reader reader;
	uint64_t wanted; /* an event's id; 0: all */
	size_t frame;
};

static int connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
		   sqlite3_vtab **made, char **why)
{
	(void)argc;
	(void)argv;
	(void)why;
	return ptl_sql_vtab_connect(db, PTL_SQL_STACK_COLUMNS, aux, made);
}

/* Of an event that is known it is little work: mostly they are asked for in the
 * order of the events. */
static int best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
	const struct ptl_sql *sql = sql_of(base);

	info->estimatedCost = 500 * sql->events + 1000;
	info->estimatedRows = (sqlite3_int64)(10 * sql->events) + 1;
	for (int i = 0; i < info->nConstraint; i++) {
		if (!info->aConstraint[i].usable ||
		    info->aConstraint[i].iColumn != ID ||
		    info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ)
			continue;
		info->aConstraintUsage[i].argvIndex = 1;
		info->idxNum = 1;
		info->estimatedCost = 1000;
		info->estimatedRows = 10;
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

static int close_cursor(sqlite3_vtab_cursor *base)
{
	struct cursor *cursor = (struct cursor *)base;

	ptl_sql_reader_close(&cursor->reader);
	free(cursor);
	return SQLITE_OK;
}

/* Is there a frame at hand that is wanted? */
static bool is_there(const struct cursor *cursor)
{
	const struct ptl_sql_row *row = &cursor->reader.row;

	return row->source != NULL && cursor->frame < row->source->nr_stack &&
	       (cursor->wanted == 0 || row->id == cursor->wanted);
}

/* To the next event that has a stack, not behind the one that is wanted. */
static int find_stack(struct cursor *cursor)
{
	struct ptl_sql_reader *reader = &cursor->reader;

	while (!reader->is_at_end && !is_there(cursor) &&
	       (cursor->wanted == 0 || reader->row.id < cursor->wanted)) {
		if (!ptl_sql_reader_next(reader))
			return ptl_sql_stopped(cursor->base.pVtab, reader->sql);
		cursor->frame = 0;
	}
	return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *base)
{
	struct cursor *cursor = (struct cursor *)base;

	cursor->frame++;
	return find_stack(cursor);
}

static int filter(sqlite3_vtab_cursor *base, int has_id, const char *plan,
		  int nr, sqlite3_value **values)
{
	const struct ptl_sql_limits none = {0};
	struct cursor *cursor = (struct cursor *)base;
	struct ptl_sql *sql = sql_of(base->pVtab);
	int64_t id = has_id && nr > 0 ? sqlite3_value_int64(values[0]) : 0;
	bool goes_on = cursor->reader.is_open && has_id && id > 0 &&
		       (uint64_t)id >= cursor->reader.row.id;

	(void)plan;
	cursor->frame = 0;
	cursor->wanted = (uint64_t)id;
	/* To NULL nothing compares. */
	if (has_id && id <= 0) {
		ptl_sql_reader_close(&cursor->reader);
		cursor->reader.is_at_end = true;
		return SQLITE_OK;
	}
	if (!goes_on) {
		ptl_sql_reader_close(&cursor->reader);
		if (!ptl_sql_reader_open(&cursor->reader, sql, NEEDS, &none))
			return ptl_sql_stopped(base->pVtab, sql);
	}
	return find_stack(cursor);
}

static int is_at_end(sqlite3_vtab_cursor *base)
{
	const struct cursor *cursor = (const struct cursor *)base;

	return cursor->reader.is_at_end || !is_there(cursor);
}

static int get_column(sqlite3_vtab_cursor *base, sqlite3_context *to, int i)
{
	const struct cursor *cursor = (const struct cursor *)base;
	struct ptl_sql_value value;

	switch (i) {
	case ID:
		value = ptl_sql_int((int64_t)cursor->reader.row.id);
		break;
	case DEPTH:
		value = ptl_sql_int((int64_t)cursor->frame);
		break;
	default:
		value = ptl_sql_frame(cursor->reader.row.view, cursor->frame);
	}
	ptl_sql_result(to, &value);
	return SQLITE_OK;
}

static int get_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid)
{
	const struct cursor *cursor = (const struct cursor *)base;

	*rowid = (sqlite3_int64)(cursor->reader.row.id << 16 | cursor->frame);
	return SQLITE_OK;
}

int ptl_sql_frames(sqlite3 *db, struct ptl_sql *sql)
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

	return sqlite3_create_module(db, "stack", &module, sql);
}
