/* SPDX-License-Identifier: MIT */
/* Which events the user wants to see: by name, process, thread, time, and by
 * what is in them. */
#ifndef PTL_TOOLS_READ_FILTER_FILTER_H
#define PTL_TOOLS_READ_FILTER_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include "tools/read/filter/tree.h"
#include "tools/read/type.h"
#include "tools/read/filter/where.h"

struct ptl_filter_time {
	bool is_set;
	bool is_relative; /* to the first event */
	bool is_cut;	  /* to microseconds, as text shows it */
	struct timespec time;
};

/* A process or a thread.  Each pid namespace has its own numbers. */
struct ptl_filter_number {
	pid_t number;
	bool is_of_any; /* the number is wanted in each namespace */
	unsigned int pidns;
	bool is_learned; /* not given by the user */
};

struct ptl_filter_numbers {
	struct ptl_filter_number *number;
	size_t nr, room;
};

/* All zero: everything is wanted. */
struct ptl_filter {
	const char **glob;
	size_t nr_globs, globs_room;
	struct ptl_filter_numbers pids, tids;
	struct ptl_filter_time since, until;
	struct ptl_where *where; /* or NULL */
	struct ptl_tree *tree;	 /* or NULL: they are all wanted */
	uint64_t first;		 /* the time of the first event, ns */

	/*
	 * Begin and end of a call are shown as one: if only one of them is
	 * wanted, both are passed on, and the other is said to be doubtful.
	 */
	bool joins_calls;
};

void ptl_filter_add_name(struct ptl_filter *filter, const char *glob);

/* What takes a text returns false if that makes no sense.  The text of a number
 * is NUMBER, in any namespace, or NUMBER@NAMESPACE. */
bool ptl_filter_add_number(struct ptl_filter_numbers *numbers,
			   const char *text);
bool ptl_filter_add_tree(struct ptl_filter *filter, const char *text);
/* SEC.NS from the first event on, as the column shows it, also with a +; the
 * same with a unit, as 10ms; or of the clock: @SEC.NS, or so many seconds that
 * no trace has them. */
#define PTL_FILTER_TIMES \
	"a time: SEC or SEC.NS from the first event on, or with a unit, as " \
	"10ms; " \
	"@SEC or @SEC.NS of the clock"
bool ptl_filter_parse_time(struct ptl_filter_time *time, const char *text);

/* The time of the first event, from which SEC counts. */
void ptl_filter_begin(struct ptl_filter *filter, const struct timespec *first);

/*
 * Reads a process:fork.  If the user wants the child by the number that its
 * parent knows, the child is also wanted by its own number, until another
 * process has that number.
 */
void ptl_filter_learn(struct ptl_filter *filter,
		      const struct posix_trace_event_info *event,
		      const struct ptl_args *args);

/* By process, thread and time. */
bool ptl_filter_wants(const struct ptl_filter *filter,
		      const struct posix_trace_event_info *event);
/* Is it after all times that are wanted? */
bool ptl_filter_is_behind(const struct ptl_filter *filter,
			  const struct posix_trace_event_info *event);
bool ptl_filter_wants_type(const struct ptl_filter *filter,
			   struct ptl_type *type);

bool ptl_filter_wants_name(const struct ptl_filter *filter, const char *name);
bool ptl_filter_wants_contents(const struct ptl_filter *filter,
			       struct ptl_where_event *event);

#endif
