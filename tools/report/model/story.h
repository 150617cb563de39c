/* SPDX-License-Identifier: MIT */
/*
 * What happened in a run, in words that do not depend on when and where it ran:
 * which calls failed, and for each thread the order of its events.  Two runs
 * can be compared by them.
 */
#ifndef PTL_TOOLS_REPORT_MODEL_STORY_H
#define PTL_TOOLS_REPORT_MODEL_STORY_H

#include "tools/model/files/uses.h"

/* Of a thread. */
struct ptl_story_event {
	const char *what; /* the same pointer for the same words */
	int64_t bytes;	  /* that were read or written; -1: does not matter */
};

struct ptl_tale {
	struct ptl_tale *next; /* the next thread of the process */
	struct ptl_story_event *event;
	size_t nr, room;
	bool is_cut; /* there were more than are kept */
};

/* Of a process, found by it. */
struct ptl_story_process {
	const struct ptl_process *process;
	struct ptl_tale *first, *last; /* its threads, as they began */
	size_t forked_at; /* so many events its parent's first thread had */
};

/* Calls of a program that failed for that reason, of that file. */
struct ptl_story_failure {
	const struct ptl_label *program;
	const char *call, *error, *path; /* path: NULL if there is none */
	uint64_t nr;
	int64_t first; /* ns: when, first */
};

struct ptl_story {
	struct ptl_files *files;
	struct ptl_hash processes; /* struct ptl_story_process, by process */
	struct ptl_hash tales;	   /* struct ptl_tale, by thread */
	struct ptl_hash failed;	   /* struct ptl_story_failure */
	struct ptl_hash done; /* char, by the program, call and path of what
				 did not fail */
	size_t nr;
};

struct ptl_story *ptl_story_new(void);
void ptl_story_free(struct ptl_story *story);
void ptl_story_learn(struct ptl_story *story, const struct ptl_step *step);

/* Did such a call succeed? */
bool ptl_story_has_done(const struct ptl_story *story, const char *program,
			const char *call, const char *path);

/*
 * A name, or words with names in them, of which what is made up anew for each
 * run is "*": what mkstemp() and a process's number have put into names in
 * /tmp, and the numbers of processes in /proc.  The same pointer for the same.
 */
const char *ptl_story_fold(const char *words);

#endif
