/* SPDX-License-Identifier: MIT */
/* How a table of events is read; see plan.h. */
#include "tools/sql/plan.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/hash.h"
#include "tools/sql/columns.h"

/* Conditions that a reader can use, a letter each; the plan is those of a
 * query, in the order of their values, and the columns that are used. */
static char letter_of(int column, unsigned char op)
{
	bool is_equal = op == SQLITE_INDEX_CONSTRAINT_EQ;
	bool is_from = op == SQLITE_INDEX_CONSTRAINT_GE ||
		       op == SQLITE_INDEX_CONSTRAINT_GT;
	bool is_to = op == SQLITE_INDEX_CONSTRAINT_LE ||
		     op == SQLITE_INDEX_CONSTRAINT_LT;

	/* What began by then is told of later or not before. */
	if (strcmp(ptl_sql_columns[column].name, "start") == 0)
		return is_from ? 's' : '\0';
	switch (column) {
	case PTL_SQL_ID:
		return is_equal || is_to ? 'i' : '\0';
	case PTL_SQL_LOG:
		return is_equal ? 'l' : '\0';
	case PTL_SQL_T:
		return is_equal ? 'e' : is_from ? 's' : is_to ? 'u' : '\0';
	case PTL_SQL_TS:
		return is_equal ? 'E' : is_from ? 'S' : is_to ? 'U' : '\0';
	case PTL_SQL_NAME:
		return is_equal ? 'n' : '\0';
	case PTL_SQL_PID:
		return is_equal ? 'p' : '\0';
	default:
		return '\0';
	}
}

/* What share of the events is left, and of the work. */
static void estimate(char letter, double *rows, double *cost)
{
	switch (letter) {
	case 'e':
	case 'E':
		*rows /= 1e5;
		*cost /= 1e3;
		break;
	case 's':
	case 'S':
	case 'u':
	case 'U':
		*rows /= 20;
		*cost /= 20;
		break;
	case 'i':
		*rows /= 10;
		*cost /= 2;
		break;
	default:
		*rows /= 10;
		*cost /= 1.5;
	}
}

static bool is_ordered(const struct ptl_sql *sql,
		       const sqlite3_index_info *info)
{
	int column = info->nOrderBy == 1 ? info->aOrderBy[0].iColumn : -1;

	return info->nOrderBy == 1 && !info->aOrderBy[0].desc &&
	       (column == PTL_SQL_ID ||
		(sql->is_sorted &&
		 (column == PTL_SQL_T || column == PTL_SQL_TS)));
}

int ptl_sql_plan(const struct ptl_sql *sql, sqlite3_index_info *info)
{
	double rows = sql->events + 1, cost = 100 * rows + 1000;
	char letters[32];
	int nr = 0;

	for (int i = 0; i < info->nConstraint; i++) {
		const struct sqlite3_index_constraint *with =
			&info->aConstraint[i];
		char letter = with->usable && with->iColumn >= 0 ?
				      letter_of(with->iColumn, with->op) :
				      '\0';

		/* By another collation other names are equal, too. */
		if (letter == 'n' &&
		    sqlite3_stricmp(sqlite3_vtab_collation(info, i),
				    "BINARY") != 0)
			letter = '\0';
		if (letter == '\0' || nr == sizeof(letters) - 1)
			continue;
		letters[nr++] = letter;
		info->aConstraintUsage[i].argvIndex = nr;
		/* A list is taken as a whole: each of its values would be a
		 * reading of its own. */
		if (sqlite3_vtab_in(info, i, -1))
			sqlite3_vtab_in(info, i, 1);
		estimate(letter, &rows, &cost);
	}
	letters[nr] = '\0';
	info->idxStr = sqlite3_mprintf("%s:%llx", letters,
				       (unsigned long long)info->colUsed);
	if (info->idxStr == NULL)
		return SQLITE_NOMEM;
	info->needToFreeIdxStr = 1;
	info->estimatedCost = cost;
	info->estimatedRows = (sqlite3_int64)rows + 1;
	info->orderByConsumed = is_ordered(sql, info);
	return SQLITE_OK;
}

/* A value of a condition in which it is the larger bound, or the smaller one:
 * of a fraction the whole number that is in; false: it is no number. */
static bool take_number(sqlite3_value *from, bool rounds_up, int64_t *number)
{
	double real;

	switch (sqlite3_value_type(from)) {
	case SQLITE_INTEGER:
		*number = sqlite3_value_int64(from);
		return true;
	case SQLITE_FLOAT:
		real = sqlite3_value_double(from);
		if (!(real > -9e18 && real < 9e18))
			return false;
		*number = (int64_t)real;
		if (rounds_up && (double)*number < real)
			++*number;
		if (!rounds_up && (double)*number > real)
			--*number;
		return true;
	default:
		return false;
	}
}

/* As ns of the clock; what is before 1970, or behind all times, is cut. */
static uint64_t clock_of(const struct ptl_sql *sql, char letter, int64_t number)
{
	uint64_t base = letter >= 'a' ? sql->begun : 0;

	if (number < 0) {
		uint64_t before = 0 - (uint64_t)number;

		return base > before ? base - before : 0;
	}
	return base + (uint64_t)number < base ? UINT64_MAX :
						base + (uint64_t)number;
}

static void take_time(const struct ptl_sql *sql, char letter,
		      sqlite3_value *from, struct ptl_sql_limits *limits)
{
	char what = letter >= 'a' ? letter : (char)(letter - 'A' + 'a');
	int64_t number;

	if (what != 'u' && take_number(from, false, &number)) {
		uint64_t since = clock_of(sql, letter, number);

		if (!limits->has_since || since > limits->since)
			limits->since = since;
		limits->has_since = true;
	}
	if (what != 's' && take_number(from, true, &number)) {
		uint64_t until = clock_of(sql, letter, number);

		if (!limits->has_until || until < limits->until)
			limits->until = until;
		limits->has_until = true;
	}
}

static bool take_name(sqlite3_value *from, struct ptl_sql_limits *limits)
{
	const char *name = sqlite3_value_type(from) == SQLITE_TEXT ?
				   (const char *)sqlite3_value_text(from) :
				   NULL;

	if (limits->nr_names == PTL_SQL_LISTED || name == NULL)
		return false;
	limits->name[limits->nr_names++] = ptl_intern(name, strlen(name));
	return true;
}

static bool take_pid(sqlite3_value *from, struct ptl_sql_limits *limits)
{
	if (limits->nr_pids == PTL_SQL_LISTED ||
	    sqlite3_value_type(from) != SQLITE_INTEGER)
		return false;
	limits->pid[limits->nr_pids++] = sqlite3_value_int64(from);
	return true;
}

/* One value, or a list of them.  What cannot be used is left to SQLite. */
static void
take_list(sqlite3_value *from, struct ptl_sql_limits *limits, size_t *nr,
	  bool (*take)(sqlite3_value *from, struct ptl_sql_limits *limits))
{
	sqlite3_value *one;
	bool is_known = true;
	int more;

	/* A second condition on the same column. */
	if (*nr > 0)
		return;
	more = sqlite3_vtab_in_first(from, &one);
	if (more != SQLITE_OK && more != SQLITE_DONE) {
		if (!take(from, limits))
			*nr = 0;
		return;
	}
	for (; more == SQLITE_OK && is_known;
	     more = sqlite3_vtab_in_next(from, &one))
		is_known = take(one, limits);
	if (!is_known || more != SQLITE_DONE)
		*nr = 0;
}

/* To NULL nothing compares; a list looks like one. */
static bool is_null(sqlite3_value *from)
{
	sqlite3_value *one;
	int more = SQLITE_OK;

	if (sqlite3_value_type(from) == SQLITE_NULL)
		more = sqlite3_vtab_in_first(from, &one);
	return more != SQLITE_OK && more != SQLITE_DONE;
}

static void take_one(const struct ptl_sql *sql, char letter,
		     sqlite3_value *from, struct ptl_sql_limits *limits)
{
	int64_t number;

	switch (letter) {
	case 'n':
		take_list(from, limits, &limits->nr_names, take_name);
		break;
	case 'p':
		take_list(from, limits, &limits->nr_pids, take_pid);
		break;
	case 'l':
		if (take_number(from, false, &number) && number > 0 &&
		    (uint64_t)number <= sql->merge->nr_sources)
			limits->log = (size_t)number;
		break;
	case 'i':
		if (take_number(from, true, &number) && number > 0 &&
		    (limits->id == 0 || (uint64_t)number < limits->id))
			limits->id = (uint64_t)number;
		break;
	default:
		take_time(sql, letter, from, limits);
	}
}

/* Of events that tell of no function, how long they took is in themselves. */
static bool has_own_duration(const struct ptl_sql_limits *limits)
{
	for (size_t i = 0; i < limits->nr_names; i++)
		if (strncmp(limits->name[i], "call:", 5) == 0)
			return false;
	return limits->nr_names > 0;
}

unsigned int ptl_sql_plan_take(const struct ptl_sql *sql, const char *plan,
			       int nr, sqlite3_value **values,
			       struct ptl_sql_limits *limits)
{
	unsigned long long used;
	unsigned int needs = 0;

	*limits = (struct ptl_sql_limits){0};
	for (int i = 0; i < nr && plan[i] != ':'; i++) {
		take_one(sql, plan[i], values[i], limits);
		limits->is_nothing |= is_null(values[i]);
	}
	used = strtoull(strchr(plan, ':') + 1, NULL, 16);
	for (size_t i = 0; i < ptl_sql_nr_columns(); i++) {
		if (!(used >> i & 1))
			continue;
		needs |= i == PTL_SQL_DUR && has_own_duration(limits) ?
				 PTL_SQL_NEEDS_DATA :
				 ptl_sql_columns[i].needs;
	}
	return needs;
}
