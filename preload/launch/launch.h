/* SPDX-License-Identifier: MIT */
/*
 * What exec and spawn have in common: the new program must find us in its
 * environment, and the trace shall say if it will not be traced.
 */
#ifndef PTL_PRELOAD_LAUNCH_LAUNCH_H
#define PTL_PRELOAD_LAUNCH_LAUNCH_H

#include "preload/libc/env.h"

/* How the file is specified. */
enum ptl_launch_by {
	PTL_LAUNCH_PATH,      /* by path, relative to dir */
	PTL_LAUNCH_SEARCH,    /* by name, along PATH */
	PTL_LAUNCH_FD,	      /* dir is the file */
	PTL_LAUNCH_PATH_OR_FD /* dir is the file if the path is "" */
};

struct ptl_launch {
	enum ptl_launch_by by;
	int dir;
	const char *path;   /* as the program gave it; NULL: unreadable */
	char *const *argv;  /* NULL, if they are not known */
	const void *addr;   /* of the call */
	char *const *given; /* the environment the program wants */
	char *const *env;   /* the environment to use */
	bool moves;	    /* into another directory before, perhaps */
	bool spawns;	    /* a new process */
	uint32_t since;	    /* what ptl_core_expect() returned */
	bool elsewhere;	    /* it may be another file from there */
	bool refused;	    /* the file cannot be traced */
	bool complains;	    /* ... and is not to find us in LD_PRELOAD */
	bool bridged;	    /* ptl_core_reach() */
	bool rewritten;
	int asked; /* the recorder is put into it: one more than what is for
		    * ptl_ask_out(); or 0 */
	struct ptl_env_plan plan;
	struct ptl_scratch scratch;
};

/*
 * The caller sets by, dir, path, addr and given.  These set the rest: they look
 * at the file, and record that it cannot be traced, if so.
 */
void ptl_launch_look(struct ptl_launch *launch);
void ptl_launch_prepare(struct ptl_launch *launch);

/* Both, as far as they are needed, and between them the child is announced.
 * False: nothing is handed down to what is started. */
bool ptl_launch_begin(struct ptl_launch *launch);

/*
 * After the call: true if it failed with E2BIG because of what we added, and is
 * to be made again.  Releases the scratch.
 */
bool ptl_launch_again(struct ptl_launch *launch, int error);

/* What of it concerns the controller alone. */
void ptl_launch_settle(int *asked, int error);

/* Before and after an exec.  The second one is like ptl_launch_again(), and
 * keeps errno. */
void ptl_exec_begin(struct ptl_launch *launch);
bool ptl_exec_again(struct ptl_launch *launch);

#endif
