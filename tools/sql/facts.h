/* SPDX-License-Identifier: MIT */
/*
 * What all events together tell, which are the other tables: processes, their
 * programs and threads, files, locks and waits.
 */
#ifndef PTL_TOOLS_SQL_FACTS_H
#define PTL_TOOLS_SQL_FACTS_H

#include "tools/lib/hash.h"
#include "tools/report/model/locks.h"
#include "tools/report/model/strands.h"
#include "tools/sql/row.h"

/* Of the row that they are learned from. */
#define PTL_SQL_FACTS_NEED \
	(PTL_SQL_NEEDS_DATA | PTL_SQL_NEEDS_MODEL | PTL_SQL_NEEDS_WHO | \
	 PTL_SQL_NEEDS_FILES | PTL_SQL_NEEDS_ALL)

struct ptl_sql_thread {
	const struct ptl_process *process;
	size_t log;
	uint64_t life; /* its number; 0: it had no event */
	pid_t tid;
	const char *name; /* or NULL */
	int64_t begin, end;
	int64_t events;
};

struct ptl_sql_image {
	const struct ptl_process *process;
	const struct ptl_program *program;
};

struct ptl_sql_file {
	const struct ptl_file *file;
	int64_t opens, failed, read, written, time;
};

struct ptl_sql_facts {
	struct ptl_model *model;
	const struct ptl_sql_row *row;
	struct ptl_hash uses; /* struct ptl_sql_file, by file */
	struct ptl_hash sums; /* the same, by what they turned out to be */
	struct ptl_locks *locks;
	struct ptl_strands *strands; /* NULL: nobody asks for waits */
	struct ptl_sql_thread *thread;
	size_t nr_threads, threads_room;

	/* When all events were learned from. */
	const struct ptl_process **process;
	size_t nr_processes;
	struct ptl_sql_image *image;
	size_t nr_images, images_room;
	const struct ptl_sql_file **file;
	size_t nr_files;
	const struct ptl_seen_lock **lock;
	size_t nr_locks, locks_room;
	const struct ptl_wait **wait;
	size_t nr_waits, waits_room;
};

struct ptl_sql_facts *ptl_sql_facts_new(struct ptl_model *model,
					const struct ptl_sql_row *row,
					bool wants_waits);
void ptl_sql_facts_free(struct ptl_sql_facts *facts);

/* Each event, after the row has learned from it. */
void ptl_sql_facts_learn(struct ptl_sql_facts *facts,
			 const struct ptl_step *step);

/* There are no more.  It ends the model, too. */
void ptl_sql_facts_end(struct ptl_sql_facts *facts);

#endif
