/* SPDX-License-Identifier: MIT */
/*
 * What each thread is in: the program or the thread itself, and calls that have
 * begun and are not known to be over, one inside of another.  Of a function a
 * call begins by a call:enter; a call of libc is one event, which comes where
 * the call began and says how long it took.  All that is shown of calls, and of
 * what lasts, is made from this.
 */
#ifndef PTL_TOOLS_MODEL_CALLS_H
#define PTL_TOOLS_MODEL_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/model/callstack.h"
#include "tools/model/view.h"
#include "tools/read/merge.h"

struct ptl_calls;

struct ptl_calls *ptl_calls_new(struct ptl_threads *threads,
				const struct ptl_merge *merge);
void ptl_calls_free(struct ptl_calls *calls);
void ptl_calls_add_user(struct ptl_calls *calls, struct ptl_calls_user *user);

/* What an event has to do with calls, all zero before; valid until the next. */
struct ptl_moment {
	const struct ptl_view *view;
	struct ptl_thread *thread; /* NULL: there was no need to know */
	struct ptl_call *call;	   /* that begins, ends, or is told of */
	struct ptl_call *outer;	   /* what it is in; or what the event is in */
	bool begins;
	bool ends;    /* with the event, which is the end of it */
	bool is_told; /* when it will end; that of its begin is known, too */
	int64_t took; /* of a call that ends or is told of, ns; or -1 */
};

/* Takes each event, in order.  What is over by now is over before.  thread may
 * be NULL: it is found if it is needed. */
void ptl_calls_learn(struct ptl_calls *calls, const struct ptl_view *view,
		     struct ptl_thread *thread, struct ptl_moment *moment);

/* The innermost call of a function that the thread is in at that time, as far
 * as is known by then; NULL: none. */
const struct ptl_call *ptl_calls_in(const struct ptl_thread *thread,
				    uint64_t at);

/* What a call is in; NULL: nothing. */
struct ptl_call *ptl_calls_outer(const struct ptl_thread *thread,
				 const struct ptl_call *call);

/* How many calls of the thread, with which that user keeps something, have
 * begun by then and are not over? */
unsigned int ptl_calls_open(const struct ptl_thread *thread,
			    unsigned int number, uint64_t at);

/* May one that is older than another one be over before it? */
bool ptl_calls_cross(const struct ptl_thread *thread);

/* There are no more events. */
void ptl_calls_finish(struct ptl_calls *calls);

/* Has the function, or any function if it is 0, had an exit event so far? */
bool ptl_calls_returns(const struct ptl_calls *calls, uint64_t callee);

#endif
