/* SPDX-License-Identifier: MIT */
/* A thread that waits for an event, for tests of what ends the wait. */
#ifndef PTL_T_LIB_READER_H
#define PTL_T_LIB_READER_H

#include "t/lib/stream.h"

struct reader {
	pthread_t thread;
	trace_id_t trid;
	int timed;
	_Atomic pid_t tid;
	_Atomic int finished;
	/* What the call said, and what was there before: none was 7. */
	int err;
	int none;
	struct event ev, before;
};

/*
 * Starts a thread that calls posix_trace_getnext_event(), or _timedgetnext_
 * with a time that does not come, once; it sleeps there, or has finished, when
 * this returns.
 */
void reader_begin(struct reader *r, trace_id_t trid, int timed);

/* Waits for it.  Returns what the call did. */
int reader_end(struct reader *r);

/* Waits for it.  Was it given one of that type, with that number? */
int reader_got(struct reader *r, trace_event_id_t id);
int reader_got_number(struct reader *r, trace_event_id_t id,
		      unsigned long number);

#endif
