/* SPDX-License-Identifier: MIT */
/* The tables besides `event', each of which has few rows. */
#ifndef PTL_TOOLS_SQL_TABLES_H
#define PTL_TOOLS_SQL_TABLES_H

#include "tools/sql/facts.h"
#include "tools/sql/value.h"

struct ptl_sql_table {
	const char *name;
	const char *columns; /* as CREATE TABLE has them */
	int nr_columns;
	/* The first column is the number of the row: 1, 2 ... */
	bool is_numbered;
	bool needs_facts; /* else it is made of the logs' heads */
	bool needs_waits; /* of the facts also what takes longer to find */
	size_t (*nr)(const struct ptl_sql_facts *facts,
		     const struct ptl_merge *merge);
	struct ptl_sql_value (*get)(const struct ptl_sql_facts *facts,
				    const struct ptl_merge *merge, size_t row,
				    int column);
};

/* Behind the last is one without a name. */
extern const struct ptl_sql_table ptl_sql_tables[];

#define PTL_SQL_STACK_COLUMNS "id INTEGER, depth INTEGER, frame TEXT"

#endif
