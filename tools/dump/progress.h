/* SPDX-License-Identifier: MIT */
/* What people at a terminal are told while it takes long, and what happens when
 * they do not want to wait. */
#ifndef PTL_TOOLS_DUMP_PROGRESS_H
#define PTL_TOOLS_DUMP_PROGRESS_H

#include <signal.h>
#include <stdbool.h>

#include "tools/read/merge.h"

/* So many events take less time than is between two lines. */
#define PTL_PROGRESS_EVENTS 1024

/*
 * From now on SIGINT, SIGTERM and SIGHUP, where they are not ignored, are kept
 * back, once: what is written gets an end.  A second one ends the program at
 * once.
 */
void ptl_progress_begin(const struct ptl_merge *merge, bool is_to_terminal);

extern volatile sig_atomic_t ptl_progress_signo;
extern unsigned long long ptl_progress_done;
void ptl_progress_look(void);

/* Before each event; false: stop here. */
static inline bool ptl_progress_step(void)
{
	if (ptl_progress_signo != 0)
		return false;
	if (++ptl_progress_done % PTL_PROGRESS_EVENTS == 0)
		ptl_progress_look();
	return true;
}

/* Before anything else is said. */
void ptl_progress_end(void);

/* When what is written is whole: says how far it goes if it was stopped, and
 * dies by the signal then. */
void ptl_progress_die(void);

#endif
