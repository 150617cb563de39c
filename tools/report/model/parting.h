/* SPDX-License-Identifier: MIT */
/* Where two runs that ended differently part. */
#ifndef PTL_TOOLS_REPORT_MODEL_PARTING_H
#define PTL_TOOLS_REPORT_MODEL_PARTING_H

#include "tools/report/model/story.h"

/* The first difference of a process in the two. */
struct ptl_parting {
	/* One is NULL if only the other run has this process. */
	const struct ptl_process *process[2];
	size_t at; /* so many events of the thread were the same */
	/* NULL: there is no more in that one. */
	const struct ptl_story_event *event[2];
	bool is_cut; /* more events than were kept: they may part later */
};

struct ptl_partings {
	/* The process that ended differently, and is below no other that did;
	 * both NULL: none did. */
	const struct ptl_process *ended[2];
	bool has_first, has_own;
	struct ptl_parting first; /* in the tree of processes */
	struct ptl_parting own;	  /* in that process, or below it */
};

/*
 * Processes are the same by the programs above them and what they ran, the
 * first of those that say the same with the first; not by their times.  The
 * order of a tree is that of the events of each process, with those of a child
 * where it was forked.
 */
void ptl_partings_find(struct ptl_partings *partings, struct ptl_processes *a,
		       const struct ptl_story *of_a, struct ptl_processes *b,
		       const struct ptl_story *of_b);

#endif
