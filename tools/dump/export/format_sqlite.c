/* SPDX-License-Identifier: MIT */
/*
 * A database of SQLite with the tables that ptrace-report --sql has.  Texts
 * that are in many rows are kept once, in `str'; a view has them in their
 * places. Without indices: most questions look at all events anyway.
 */
#include "tools/dump/parts/sink.h"

#ifdef HAVE_SQLITE

#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>

#include "tools/lib/clock.h"
#include "tools/lib/hash.h"
#include "tools/sql/columns.h"
#include "tools/sql/facts.h"
#include "tools/sql/frame.h"
#include "tools/sql/tables.h"

#define NEEDS (PTL_SQL_FACTS_NEED | PTL_SQL_NEEDS_NAMES | PTL_SQL_NEEDS_CALLS)

static struct {
	const struct ptl_sink *sink;
	sqlite3 *db;
	sqlite3_stmt *put_event, *put_text, *put_frame;
	struct ptl_hash texts; /* their numbers, int64_t */
	struct ptl_sql_row row;
	struct ptl_sql_facts *facts;
} to;

static void check(int rc)
{
	if (rc != SQLITE_OK && rc != SQLITE_ROW && rc != SQLITE_DONE)
		ptl_sink_fail(to.sink, to.db != NULL ? sqlite3_errmsg(to.db) :
						       sqlite3_errstr(rc));
}

static void execute(const char *sql)
{
	check(sqlite3_exec(to.db, sql, NULL, NULL, NULL));
}

static sqlite3_stmt *prepare(const char *sql)
{
	sqlite3_stmt *statement = NULL;

	check(sqlite3_prepare_v3(to.db, sql, -1, SQLITE_PREPARE_PERSISTENT,
				 &statement, NULL));
	return statement;
}

static void insert(sqlite3_stmt *statement)
{
	check(sqlite3_step(statement));
	check(sqlite3_reset(statement));
}

/* The number of a text, which is written if it is new. */
static int64_t number_of(const struct ptl_sql_value *value)
{
	int64_t *number = ptl_hash_get(&to.texts, value->text, value->size);

	if (*number != 0)
		return *number;
	*number = (int64_t)to.texts.nr;
	check(sqlite3_bind_int64(to.put_text, 1, *number));
	check(sqlite3_bind_text64(to.put_text, 2, value->text, value->size,
				  SQLITE_STATIC, SQLITE_UTF8));
	insert(to.put_text);
	return *number;
}

static void bind(sqlite3_stmt *statement, int at,
		 const struct ptl_sql_value *value, bool is_shared)
{
	switch (value->kind) {
	case PTL_SQL_INT:
		check(sqlite3_bind_int64(statement, at, value->number));
		break;
	case PTL_SQL_TEXT:
		if (is_shared)
			check(sqlite3_bind_int64(statement, at,
						 number_of(value)));
		else
			check(sqlite3_bind_text64(statement, at, value->text,
						  value->size, SQLITE_TRANSIENT,
						  SQLITE_UTF8));
		break;
	default:
		check(sqlite3_bind_null(statement, at));
	}
}

/* A statement of several parts. */
struct statement {
	char text[8192];
	size_t used;
};

static void add(struct statement *sql, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add(struct statement *sql, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	sql->used +=
		(size_t)vsnprintf(sql->text + sql->used,
				  sizeof(sql->text) - sql->used, format, args);
	va_end(args);
}

/* What is not kept, since the view has it from another column. */
static bool is_made(size_t column)
{
	return column == PTL_SQL_TS;
}

static void make_event_table(void)
{
	struct statement table = {0}, view = {0}, put = {0};
	size_t nr = ptl_sql_nr_columns();

	add(&table, "CREATE TABLE event_data(");
	add(&view, "CREATE VIEW event AS SELECT ");
	add(&put, "INSERT INTO event_data VALUES(");
	for (size_t i = 0; i < nr; i++) {
		const struct ptl_sql_column *column = &ptl_sql_columns[i];
		const char *comma = i > 0 ? ", " : "";

		if (is_made(i)) {
			add(&view, "%sd.t + %llu AS ts", comma,
			    (unsigned long long)to.row.begun);
			continue;
		}
		add(&table, "%s%s %s", comma, column->name,
		    i == PTL_SQL_ID   ? "INTEGER PRIMARY KEY" :
		    column->is_shared ? "INTEGER" :
					column->type);
		add(&view, column->is_shared ? "%s%s_.text AS %s" : "%sd.%s",
		    comma, column->name, column->name);
		add(&put, "%s?", comma);
	}
	add(&view, " FROM event_data d");
	for (size_t i = 0; i < nr; i++)
		if (ptl_sql_columns[i].is_shared)
			add(&view, " LEFT JOIN str %s_ ON %s_.str = d.%s",
			    ptl_sql_columns[i].name, ptl_sql_columns[i].name,
			    ptl_sql_columns[i].name);
	add(&table, ")");
	add(&put, ")");
	execute(table.text);
	execute(view.text);
	to.put_event = prepare(put.text);
}

static void make_other_tables(void)
{
	for (size_t i = 0; ptl_sql_tables[i].name != NULL; i++) {
		struct statement table = {0};

		add(&table, "CREATE TABLE %s(%s)", ptl_sql_tables[i].name,
		    ptl_sql_tables[i].columns);
		execute(table.text);
	}
	execute("CREATE TABLE stack_data(id INTEGER, depth INTEGER, "
		"frame INTEGER, PRIMARY KEY (id, depth)) WITHOUT ROWID;"
		"CREATE VIEW stack AS SELECT id, depth, text AS frame "
		"FROM stack_data JOIN str ON str = frame;"
		"CREATE VIEW " PTL_SQL_CALL_VIEW ";"
		"CREATE VIEW " PTL_SQL_SAMPLE_VIEW ";"
		"CREATE VIEW " PTL_SQL_OFF_VIEW);
	to.put_frame = prepare("INSERT INTO stack_data VALUES(?, ?, ?)");
}

static void begin(struct ptl_sink *sink)
{
	const struct ptl_source *source = sink->merge->current;
	char *path;

	to.sink = sink;
	/* ":memory:" and "file:..." are files here. */
	path = sqlite3_mprintf("%s%s", sink->path[0] == '/' ? "" : "./",
			       sink->path);
	check(path == NULL ? SQLITE_NOMEM :
			     sqlite3_open_v2(path, &to.db,
					     SQLITE_OPEN_READWRITE, NULL));
	sqlite3_free(path);
	/* If it is not written to its end, it is removed. */
	execute("PRAGMA page_size = 8192; PRAGMA journal_mode = OFF;"
		"PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
		"PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY; BEGIN;"
		"CREATE TABLE str(str INTEGER PRIMARY KEY, text TEXT)");
	to.texts.value_size = sizeof(int64_t);
	to.row.begun =
		source != NULL ? ptl_ns(&source->event.posix_timestamp) : 0;
	ptl_sql_row_begin(&to.row, NEEDS, sink->model);
	to.facts = ptl_sql_facts_new(sink->model, &to.row, true);
	to.put_text = prepare("INSERT INTO str VALUES(?, ?)");
	make_event_table();
	make_other_tables();
}

/* Of an event that is not wanted others may have to know. */
static void learn(struct ptl_sink *sink, const struct ptl_step *step)
{
	to.row.id = sink->model->events;
	to.row.log = (size_t)(step->view->source - sink->merge->source) + 1;
	ptl_sql_row_learn(&to.row, step);
	ptl_sql_facts_learn(to.facts, step);
}

static void put_event(struct ptl_sink *sink, const struct ptl_step *step)
{
	int at = 1;

	learn(sink, step);
	for (size_t i = 0; i < ptl_sql_nr_columns(); i++) {
		struct ptl_sql_value value;

		if (is_made(i))
			continue;
		value = ptl_sql_columns[i].get(&to.row);
		bind(to.put_event, at++, &value, ptl_sql_columns[i].is_shared);
	}
	insert(to.put_event);
	for (size_t i = 0; i < step->view->source->nr_stack; i++) {
		struct ptl_sql_value frame = ptl_sql_frame(step->view, i);

		check(sqlite3_bind_int64(to.put_frame, 1, (int64_t)to.row.id));
		check(sqlite3_bind_int64(to.put_frame, 2, (int64_t)i));
		bind(to.put_frame, 3, &frame, true);
		insert(to.put_frame);
	}
}

static void put_table(const struct ptl_sql_table *table)
{
	const struct ptl_merge *merge = to.sink->merge;
	size_t nr = table->nr(to.facts, merge);
	struct statement put = {0};
	sqlite3_stmt *statement;

	add(&put, "INSERT INTO %s VALUES(?", table->name);
	for (int i = 1; i < table->nr_columns; i++)
		add(&put, ", ?");
	add(&put, ")");
	statement = prepare(put.text);
	for (size_t i = 0; i < nr; i++) {
		for (int k = 0; k < table->nr_columns; k++) {
			struct ptl_sql_value value =
				table->get(to.facts, merge, i, k);

			bind(statement, k + 1, &value, false);
		}
		insert(statement);
	}
	sqlite3_finalize(statement);
}

static void end(struct ptl_sink *sink)
{
	(void)sink;
	ptl_sql_facts_end(to.facts);
	for (size_t i = 0; ptl_sql_tables[i].name != NULL; i++)
		put_table(&ptl_sql_tables[i]);
	sqlite3_finalize(to.put_event);
	sqlite3_finalize(to.put_text);
	sqlite3_finalize(to.put_frame);
	execute("COMMIT");
	check(sqlite3_close(to.db));
	ptl_sql_facts_free(to.facts);
	ptl_sql_row_end(&to.row);
	ptl_hash_clear(&to.texts);
}

const struct ptl_format ptl_format_sqlite = {
	.name = "sqlite",
	.wants_new_file = true,
	.wants_processes = true,
	.begin = begin,
	.event = put_event,
	.learn = learn,
	.end = end,
};

#else

const struct ptl_format ptl_format_sqlite = {
	.name = "sqlite",
	.wants_new_file = true,
	.lacks = "SQLite (libsqlite3-dev)",
};

#endif
