/* SPDX-License-Identifier: MIT */
/*
 * The records of all packets of a log in the order of their time.  A packet
 * is open, with a buffer of its own, only while its time overlaps that of the
 * record at hand.
 */
#ifndef PTL_CORE_LOG_MERGE_H
#define PTL_CORE_LOG_MERGE_H

#include "core/log/index.h"

struct ptl_log_cursor;

/* An open packet by the record at hand: its time, then ptl_log_order(). */
struct ptl_log_merge_item {
	uint64_t when;
	uint64_t order;
	struct ptl_log_cursor *cursor;
};

struct ptl_log_merge {
	struct ptl_log_index *index;
	size_t next_slot;		 /* the first not yet opened */
	struct ptl_log_merge_item *heap; /* the oldest on top */
	size_t nr_open;
	size_t room;
	uint64_t limit;		      /* below it the top stays the top */
	struct ptl_log_cursor *top;   /* whose record was given out, or NULL */
	bool begun;		      /* one was, of all */
	uint64_t since, until;	      /* ns: see ptl_log_merge_limit() */
	struct ptl_log_cursor *spare; /* closed, for reuse */
};

/*
 * The next event, all but its ns, valid until the next call; NULL at the end.
 * Its `when' is its counter, corrected so that it never goes back from one
 * event to the next.  Packets that cannot be read are noted in the index.
 */
struct ptl_event *ptl_log_merge_next(struct ptl_log_merge *merge);
/*
 * From the second event on, those that began before `since' or after `until'
 * (CLOCK_REALTIME in ns) may be left out, but for those that are needed to
 * understand the others (ptl_record_is_plain()).  All zero: none.
 */
void ptl_log_merge_limit(struct ptl_log_merge *merge, uint64_t since,
			 uint64_t until);
void ptl_log_merge_rewind(struct ptl_log_merge *merge);
void ptl_log_merge_free(struct ptl_log_merge *merge);

/* How many events a packet really has. */
uint64_t ptl_log_merge_count(struct ptl_log_merge *merge,
			     struct ptl_log_slot *slot);

#endif
