/* SPDX-License-Identifier: MIT */
/* Which events the user wants to see: by name, process, thread and time. */
#ifndef PTL_TOOLS_DUMP_FILTER_H
#define PTL_TOOLS_DUMP_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include "tools/dump/type.h"

struct ptl_filter_time {
	bool is_set;
	bool is_relative; /* to the first event */
	struct timespec time;
};

/* All zero: everything is wanted. */
struct ptl_filter {
	const char **glob;
	size_t nr_globs, globs_room;
	pid_t *pid;
	size_t nr_pids, pids_room;
	pid_t *tid;
	size_t nr_tids, tids_room;
	struct ptl_filter_time since, until;
};

void ptl_filter_add_name(struct ptl_filter *filter, const char *glob);

/* These return false if the text makes no sense. */
bool ptl_filter_add_pid(struct ptl_filter *filter, const char *text);
bool ptl_filter_add_tid(struct ptl_filter *filter, const char *text);
bool ptl_filter_parse_time(struct ptl_filter_time *time, const char *text);

/* The time of the first event, from which +SEC counts. */
void ptl_filter_begin(struct ptl_filter *filter, const struct timespec *first);

bool ptl_filter_wants(const struct ptl_filter *filter, struct ptl_type *type,
		      const struct posix_trace_event_info *event);

#endif
