/* SPDX-License-Identifier: MIT */
/*
 * Events of a log that were read before their turn.  Of thousands of logs that
 * are read as one, each event is of another one than the last: what is known of
 * a log has left the processor's caches when its turn comes again.  So of each
 * some are read at once, and lie one behind the other.
 */
#ifndef PTL_TOOLS_READ_AHEAD_H
#define PTL_TOOLS_READ_AHEAD_H

#include <trace.h>

#include <stdbool.h>
#include <stddef.h>

struct ptl_type;

/* An event, and what belongs to it. */
struct ptl_next {
	struct posix_trace_event_info event;
	struct ptl_type *type;
	char *data;
	size_t data_size, data_room;
	long long duration;
	size_t nr_stack;
	void *stack[POSIX_TRACE_STACK_MAX_NP];
};

/* Zero: empty. */
struct ptl_read_ahead {
	char *bytes;
	size_t room, at, end;
};

/* One of them: its data follow, and then its stack. */
struct ptl_early {
	struct posix_trace_event_info event;
	struct ptl_type *type;
	long long duration;
	unsigned int data_size, nr_stack;
};

/* Puts it behind the others. */
void ptl_ahead_put(struct ptl_read_ahead *ahead, const struct ptl_next *next);

/* Is there room for more? */
bool ptl_ahead_is_full(const struct ptl_read_ahead *ahead);

/* The first one, which is out with that; NULL: there is none.  Valid until the
 * next is put. */
struct ptl_early *ptl_ahead_take(struct ptl_read_ahead *ahead);

/* The one behind it, or the first of all; NULL: there is none. */
struct ptl_early *ptl_ahead_after(const struct ptl_read_ahead *ahead,
				  struct ptl_early *early);

static inline char *ptl_early_data(struct ptl_early *early)
{
	return (char *)(early + 1);
}

void *ptl_early_stack(struct ptl_early *early);

void ptl_ahead_clear(struct ptl_read_ahead *ahead);
void ptl_ahead_free(struct ptl_read_ahead *ahead);

#endif
