/* SPDX-License-Identifier: MIT */
/* The columns of the table `event': what each needs, and its value. */
#ifndef PTL_TOOLS_SQL_COLUMNS_H
#define PTL_TOOLS_SQL_COLUMNS_H

#include "tools/sql/row.h"
#include "tools/sql/value.h"

/* Columns that are looked for in queries. */
enum ptl_sql_known {
	PTL_SQL_ID,
	PTL_SQL_LOG,
	PTL_SQL_T,
	PTL_SQL_TS,
	PTL_SQL_DUR,
	PTL_SQL_NAME,
	PTL_SQL_FAMILY,
	PTL_SQL_PID,
	PTL_SQL_KNOWN
};

struct ptl_sql_column {
	const char *name, *type;
	unsigned int needs; /* of enum ptl_sql_need */
	struct ptl_sql_value (*get)(const struct ptl_sql_row *row);
	bool is_shared; /* in many rows the same text: kept once in a file */
};

/* Behind the last is one without a name. */
extern const struct ptl_sql_column ptl_sql_columns[];

/* How many there are. */
size_t ptl_sql_nr_columns(void);

/* Of calls, with their begins: a view of the table `event'. */
#define PTL_SQL_CALL_VIEW \
	"call AS SELECT id, log, start AS t, ts - t + start AS ts, dur, " \
	"name, family, coalesce(function, substr(name, instr(name, ':') + 1))" \
	" AS function, pid, tid, program, upid, utid, ret, errno, error, " \
	"failed, fd, size, path, file, lock, place, depth, parent, args, " \
	"context " \
	"FROM event WHERE is_call"

/* Of samples, each with the function in which the processor was found. */
#define PTL_SQL_SAMPLE_VIEW \
	"sample AS SELECT id, log, t, ts, " \
	"json_extract(args, '$.weight') AS weight, " \
	"json_extract(args, '$.cpu') AS cpu, " \
	"coalesce(nullif(substr(frame, 1, instr(frame, '+0x') - 1), ''), " \
	"frame) AS function, frame, pid, tid, program, upid, utid " \
	"FROM event LEFT JOIN stack USING (id) " \
	"WHERE name = 'cpu:sample' AND (stack.depth = 0 OR frame IS NULL)"

/* Of times when threads were off the processor, where they began. */
#define PTL_SQL_OFF_VIEW \
	"off AS SELECT id, log, t, ts, dur, " \
	"json_extract(args, '$.preempted') AS preempted, " \
	"json_extract(args, '$.cpu') AS cpu, " \
	"pid, tid, program, upid, utid " \
	"FROM event WHERE name = 'sched:off'"

#endif
