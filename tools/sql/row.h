/* SPDX-License-Identifier: MIT */
/*
 * An event as a row of the table `event', with what earlier events tell of it:
 * the file that it is about, and the call that it is in.
 */
#ifndef PTL_TOOLS_SQL_ROW_H
#define PTL_TOOLS_SQL_ROW_H

#include "tools/model/model.h"
#include "tools/model/files/uses.h"

/* What has to be known for a column. */
enum ptl_sql_need {
	PTL_SQL_NEEDS_DATA = 1,	  /* the event's arguments */
	PTL_SQL_NEEDS_MODEL = 2,  /* modules, and calls that end */
	PTL_SQL_NEEDS_NAMES = 4,  /* of addresses; with MODEL */
	PTL_SQL_NEEDS_WHO = 8,	  /* processes and threads; with MODEL */
	PTL_SQL_NEEDS_FILES = 16, /* with WHO and ALL */
	PTL_SQL_NEEDS_CALLS = 32, /* with WHO and ALL */
	PTL_SQL_NEEDS_ALL = 64,	  /* all events before it */
};

struct ptl_sql_row {
	unsigned int needs;
	uint64_t begun;	     /* the time of the logs' first event, ns */
	size_t log;	     /* its number: 1, 2 ... */
	uint64_t id;	     /* of the event: 1, 2 ..., if ALL are read */
	uint64_t time, same; /* ns; so many before it are of its log and time */
	struct ptl_source *source;
	const struct ptl_type *type;
	const struct ptl_view *view; /* with DATA */
	const struct ptl_step *step; /* with MODEL */

	struct ptl_files *files; /* with FILES */
	struct ptl_file_use use[PTL_FILE_USES];
	unsigned int nr_uses;

	struct ptl_calls_user calls; /* with CALLS */
	uint64_t parent;	     /* the id of its call; 0: none */
	int64_t depth;
	uint64_t start; /* ns, as posix_timestamp; of no call, its time */
};

/* The model may be NULL if there is no need for it; it goes on before the row
 * does. */
void ptl_sql_row_begin(struct ptl_sql_row *row, unsigned int needs,
		       struct ptl_model *model);
void ptl_sql_row_end(struct ptl_sql_row *row);

/* The event is the row now.  To be done with each, if it is wanted or not,
 * where there is a need for ALL. */
void ptl_sql_row_learn(struct ptl_sql_row *row, const struct ptl_step *step);

#endif
