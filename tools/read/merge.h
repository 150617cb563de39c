/* SPDX-License-Identifier: MIT */
/*
 * Several logs read as one, by CLOCK_REALTIME; see hosts.h.  The events of each
 * log keep their order; of events of the same time, those of the log named
 * first come first.
 */
#ifndef PTL_TOOLS_READ_MERGE_H
#define PTL_TOOLS_READ_MERGE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "tools/read/source.h"

struct ptl_merge {
	struct ptl_source *source;
	size_t nr_sources;
	struct ptl_source *current; /* the last event is from it */
};

/*
 * Opens the logs.  For each that cannot be opened it has said why on stderr;
 * *status is set to PTL_EXIT_DAMAGED then, or to PTL_EXIT_NO_LOG if there was
 * no log at all.
 */
void ptl_merge_open(struct ptl_merge *merge, char *const *paths, size_t nr,
		    int *status);
void ptl_merge_close(struct ptl_merge *merge);

/* The log that has the next event, as its current one; NULL at the end. */
struct ptl_source *ptl_merge_next(struct ptl_merge *merge);

/*
 * At the end: waits until a log that is still being written has more.  Returns
 * false if there is none, or a handler has stored the number of its signal.
 */
bool ptl_merge_await(struct ptl_merge *merge,
		     const volatile sig_atomic_t *signo);

#endif
