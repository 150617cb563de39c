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
#include <stdint.h>

#include "tools/read/source.h"

/* A log by its event: seconds, then what decides among those of one second. */
struct ptl_merge_item {
	int64_t seconds;
	uint64_t rest; /* ns:32 number of the log:32 */
};

struct ptl_merge {
	struct ptl_source *source;
	size_t nr_sources;
	struct ptl_source *current;  /* the last event is from it */
	struct ptl_merge_item *heap; /* those that have an event, by time */
	size_t nr_heap;
	bool is_ordered; /* the heap is right */
};

/*
 * Opens the logs.  Of those that cannot be opened it has said why on stderr,
 * one by one or, if there are many, together;
 * *status is set to PTL_EXIT_DAMAGED then, or to PTL_EXIT_NO_LOG if there was
 * no log at all.
 */
void ptl_merge_open(struct ptl_merge *merge, char *const *paths, size_t nr,
		    int *status);
void ptl_merge_close(struct ptl_merge *merge);

/*
 * The logs of one that is open once more, or only that of a number, from their
 * first events on; SIZE_MAX is all.  Returns false, and says nothing, if one of
 * them cannot be opened again.
 */
bool ptl_merge_again(struct ptl_merge *merge, const struct ptl_merge *open,
		     size_t only);
/* To be closed so, while the other one is still open. */
void ptl_merge_end_again(struct ptl_merge *merge);

/* Only what is of this time is needed, as ptl_source_window() has it; but of a
 * log with contexts also what is before, since these are as old as they like.
 */
void ptl_merge_window(struct ptl_merge *merge, const struct timespec *since,
		      const struct timespec *until);

/* The log that has the next event, as its current one; NULL at the end. */
struct ptl_source *ptl_merge_next(struct ptl_merge *merge);

/*
 * At the end: waits until a log that is still being written has more.  Returns
 * false if there is none, or a handler has stored the number of its signal.
 */
bool ptl_merge_await(struct ptl_merge *merge,
		     const volatile sig_atomic_t *signo);

#endif
