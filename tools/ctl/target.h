/* SPDX-License-Identifier: MIT */
/* Which traces the user means. */
#ifndef PTL_TOOLS_CTL_TARGET_H
#define PTL_TOOLS_CTL_TARGET_H

#include "tools/ctl/trace.h"

/* Does the argument look like a target, and not like the name of an event type?
 */
bool ptl_target_is(const char *argument);

/*
 * Finds them: those of the list, or the only one there is.  What is no trace is
 * reported: then *chosen is NULL in its place.  If several could be meant it is
 * a usage error; if there is none, that is reported.  Returns how many there
 * are, NULL or not.
 */
size_t ptl_target_choose(struct ptl_traces *traces, char *const *targets,
			 size_t nr, const struct ptl_trace ***chosen);

#endif
