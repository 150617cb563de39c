/* SPDX-License-Identifier: MIT */
/* --sql; see sql.h. */
#include "tools/report/sql.h"

#include "tools/lib/say.h"
#include "tools/read/source.h"

#ifdef HAVE_SQLITE

#include <string.h>

#include "tools/read/hosts.h"
#include "tools/read/lacks.h"
#include "tools/report/sql_shell.h"
#include "tools/sql/connect.h"
#include "tools/symbolize/symbols.h"

/* Standard input is either. */
static void check_input(const struct ptl_choices *choices)
{
	for (size_t i = 0; i < choices->nr_paths; i++)
		if (strcmp(choices->sql, "-") == 0 &&
		    strcmp(choices->paths[i], "-") == 0) {
			ptl_say("--sql: standard input is the queries or a "
				"log, not both");
			ptl_say_usage();
		}
}

int ptl_report_sql(const struct ptl_choices *choices)
{
	enum ptl_sql_format format = choices->wants_json ? PTL_SQL_JSON :
				     choices->wants_csv	 ? PTL_SQL_CSV :
							   PTL_SQL_TABLE;
	int status = PTL_EXIT_OK, asked = PTL_EXIT_USAGE;
	struct ptl_merge merge;
	struct ptl_sql sql;
	sqlite3 *db;

	check_input(choices);
	ptl_open_keep_pipes();
	ptl_open_some();
	ptl_merge_open(&merge, choices->paths, choices->nr_paths, &status);
	if (merge.nr_sources == 0)
		return status;
	ptl_sql_begin(&sql, &merge);
	db = ptl_sql_connect(&sql);
	if (db != NULL)
		asked = ptl_sql_ask(db, &sql, choices->sql, format);
	sqlite3_close(db);
	ptl_sql_end(&sql);
	ptl_symfile_report(choices->is_verbose);
	ptl_hosts_say(merge.source, merge.nr_sources);
	if (ptl_lacks_say(&merge, false) != PTL_EXIT_OK)
		status = PTL_EXIT_DAMAGED;
	ptl_merge_close(&merge);
	return asked != PTL_EXIT_OK ? asked : status;
}

#else

int ptl_report_sql(const struct ptl_choices *choices)
{
	(void)choices;
	ptl_say("--sql: this was built without SQLite (libsqlite3-dev)");
	return PTL_EXIT_USAGE;
}

#endif
