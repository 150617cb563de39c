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
	/* The call's results; none is 7 before the call. */
	int err;
	int none;
	struct event ev, before;
};

/*
 * Starts a thread that calls posix_trace_getnext_event(), or
 * posix_trace_timedgetnext_event() with a time in the far future, once; when
 * this returns, it sleeps there or has finished.
 */
void reader_begin(struct reader *r, trace_id_t trid, int timed);

/* Waits for the thread.  Returns the result of the call. */
int reader_end(struct reader *r);

/* Waits for the thread.  Did it get an event of that type, with that number? */
int reader_got(struct reader *r, trace_event_id_t id);
int reader_got_number(struct reader *r, trace_event_id_t id,
		      unsigned long number);

#endif
