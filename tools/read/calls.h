/* SPDX-License-Identifier: MIT */
/*
 * Calls of functions: which function a call:enter or call:exit event is about,
 * and how long the call took.
 */
#ifndef PTL_TOOLS_READ_CALLS_H
#define PTL_TOOLS_READ_CALLS_H

#include "tools/read/modules.h"

struct ptl_calls;

struct ptl_calls *ptl_calls_new(void);
void ptl_calls_free(struct ptl_calls *calls);

/*
 * Takes an event, in the order of the log.  If it ends a call, returns how many
 * nanoseconds the call took; -1 if it ends none, or the beginning is not known.
 */
int64_t ptl_calls_learn(struct ptl_calls *calls, enum ptl_kind kind,
			const struct posix_trace_event_info *event,
			const struct ptl_args *args);

/*
 * Gives a call:enter or call:exit event the arguments that are not in its data:
 * function and library in front, duration behind.
 */
void ptl_calls_describe(struct ptl_modules *modules, enum ptl_kind kind,
			const struct posix_trace_event_info *event,
			int64_t duration, struct ptl_args *args);

#endif
