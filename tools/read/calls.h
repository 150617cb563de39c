/* SPDX-License-Identifier: MIT */
/*
 * Calls of functions: which function a call:enter or call:exit event is about,
 * and how long the call took.
 */
#ifndef PTL_TOOLS_READ_CALLS_H
#define PTL_TOOLS_READ_CALLS_H

#include <stdbool.h>

#include "tools/read/modules.h"

struct ptl_calls;

struct ptl_calls *ptl_calls_new(void);
void ptl_calls_free(struct ptl_calls *calls);

/*
 * Takes an event, in the order of the log; took: what it says itself, or -1.
 * If it ends a call, returns how many nanoseconds the call took; -1 if it ends
 * none, or the beginning is not known.  An exit that says so itself comes when
 * the call began: until its end, it is the thread's innermost.
 */
int64_t ptl_calls_learn(struct ptl_calls *calls, enum ptl_act act,
			const struct posix_trace_event_info *event,
			const struct ptl_args *args, int64_t took);

/*
 * What a caller wants to keep with a call, until it is over.  `over' is called
 * when a tagged call is over and ptl_calls_ended() has not taken the tag: it
 * returned (but the caller was not shown that event), or its end will not be
 * seen.
 */
typedef void ptl_calls_over(void *tag, bool has_returned);
void ptl_calls_watch(struct ptl_calls *calls, ptl_calls_over *over);

/* Of the call that the last event began; or ended, if that came when it began;
 * and of the one that it ended, which has none then. */
void ptl_calls_tag(struct ptl_calls *calls, void *tag);
void *ptl_calls_ended(struct ptl_calls *calls);

/* The innermost tag of the event's thread, or NULL. */
void *ptl_calls_inner(struct ptl_calls *calls,
		      const struct posix_trace_event_info *event);

/* Has the function, or any function if it is 0, had an exit event so far? */
bool ptl_calls_returns(const struct ptl_calls *calls, uint64_t callee);

/* All calls that are still open are over. */
void ptl_calls_finish(struct ptl_calls *calls);

/*
 * Gives a call:enter or call:exit event the arguments that are not in its data:
 * function and library in front, duration behind.
 */
void ptl_calls_describe(struct ptl_modules *modules, enum ptl_act act,
			const struct posix_trace_event_info *event,
			int64_t duration, struct ptl_args *args);

#endif
