/* SPDX-License-Identifier: MIT */
/* What may be done on a connection; see guard.h. */
#include "tools/sql/guard.h"

#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

/* SQLite takes the columns of a table by statements of its own. */
static bool is_declaring;

int ptl_sql_declare(sqlite3 *db, const char *columns)
{
	char *declared = sqlite3_mprintf("CREATE TABLE x(%s)", columns);
	int rc = SQLITE_NOMEM;

	is_declaring = true;
	if (declared != NULL)
		rc = sqlite3_declare_vtab(db, declared);
	is_declaring = false;
	sqlite3_free(declared);
	return rc;
}

static bool is_one_of(const char *name, const char *const *names)
{
	for (; name != NULL && *names != NULL; names++)
		if (sqlite3_stricmp(name, *names) == 0)
			return true;
	return false;
}

/* Whoever asks may be given the question by somebody else: what is not known to
 * do no harm is refused, but for functions: of these SQLite has none besides
 * those that are named. */
static int authorize(void *of, int action, const char *a, const char *b,
		     const char *database, const char *trigger)
{
	static const char *const pragmas[] = {"table_info",	"table_xinfo",
					      "table_list",	"function_list",
					      "collation_list", NULL};
	static const char *const functions[] = {"load_extension",
						"fts3_tokenizer", NULL};

	(void)of;
	(void)database;
	(void)trigger;
	if (is_declaring)
		return SQLITE_OK;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		return is_one_of(b, functions) ? SQLITE_DENY : SQLITE_OK;
	case SQLITE_PRAGMA:
		return is_one_of(a, pragmas) ? SQLITE_OK : SQLITE_DENY;
	default:
		return SQLITE_DENY;
	}
}

void ptl_sql_guard(sqlite3 *db)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

	if (pages > 0 && size > 0)
		sqlite3_hard_heap_limit64((sqlite3_int64)pages / 2 * size);
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 256 << 20);
	sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	sqlite3_set_authorizer(db, authorize, NULL);
}
