/* SPDX-License-Identifier: MIT */
/*
 * Streams and logs read to their end and summed up, for tests of what is left
 * of a long run.  Writers number their events; see story_put().
 */
#ifndef PTL_T_LIB_STORY_H
#define PTL_T_LIB_STORY_H

#include "t/lib/clock.h"
#include "t/lib/stream.h"

#define STORY_WRITERS 16
#define STORY_SYSTEM 16

/* The sum of one writer's events. */
struct story_writer {
	long nr;
	unsigned long first, second, last;
	long gaps;		/* places where numbers are missing */
	long back;		/* an event out of order, or twice */
	long time_back;		/* its time goes back */
	struct timespec time;
};

struct story {
	long nr;		/* of all events */
	long users;		/* those of story_put() */
	long system[STORY_SYSTEM];	/* by predefined id */
	struct event first, last;	/* of all; not set if there is none */
	struct event first_user;
	struct event overflow, resume, after_resume;	/* the first ones */
	int flushes_nest;	/* FLUSH_STOP without FLUSH_START, or nested */
	int outside;		/* events before START, or after STOP */
	struct story_writer writer[STORY_WRITERS];
	struct posix_trace_status_info status;	/* story_log() */
};

/* Records event `number' of that writer. */
static inline void story_put(trace_event_id_t id, unsigned int writer,
			     unsigned long number)
{
	event_put(id, (unsigned long)writer << 48 | number);
}

/* Reads a stream without log, or a log, up to its end. */
void story_read(trace_id_t trid, trace_event_id_t id, struct story *story);

/* Opens the log in fd, reads it all and closes it.  Returns open's value. */
int story_log(int fd, trace_event_id_t id, struct story *story);

/* Sums over all writers. */
long story_gaps(const struct story *story);
long story_disorder(const struct story *story);

/* An attributes object for create_withlog; sizes of 0 are the default. */
trace_attr_t *story_attr(size_t size, int policy, size_t log_size,
			 int log_policy);

/* The status, and its reset. */
struct posix_trace_status_info status_of(trace_id_t trid);

/* Waits until no flush is in progress; the statuses read meanwhile are added
 * up. */
struct posix_trace_status_info await_flushed(trace_id_t trid);

#endif
