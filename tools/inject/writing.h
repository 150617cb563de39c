/* SPDX-License-Identifier: MIT */
/*
 * Writes what a process has ready to be written over its functions
 * (core/format/patches.h), while all of its threads are stopped.  If we are
 * killed in between, what is there can be run: a page is written at once, and
 * what leads to something behind that.
 */
#ifndef PTL_TOOLS_INJECT_WRITING_H
#define PTL_TOOLS_INJECT_WRITING_H

#include "tools/inject/others.h"

struct ptl_writing {
	pid_t pid;
	size_t nr;
	struct ptl_writing_batch *batch;
	uint64_t left;	   /* that are not written */
	uint64_t hopeless; /* of them: they never will be */
};

/* What is at that place of the process; false: it cannot be read. */
bool ptl_writing_read(struct ptl_writing *writing, pid_t pid, uint64_t at,
		      uint64_t nr);

/* Writes those in which no thread is (points.h); false: nothing can be. */
bool ptl_writing_write(struct ptl_writing *writing,
		       const struct ptl_inject_target *target);

void ptl_writing_free(struct ptl_writing *writing);

#endif
