/* SPDX-License-Identifier: MIT */
/* Which traces the user means. */
#ifndef PTL_TOOLS_CTL_TARGET_H
#define PTL_TOOLS_CTL_TARGET_H

#include "tools/ctl/trace.h"

/* Does the argument look like a target, and not like the name of an event type?
 */
bool ptl_target_is(const char *argument);

struct ptl_ctl_target {
	const struct ptl_trace *trace; /* NULL: none, which was reported */
	bool is_unknown; /* it may be one whose controller does not answer */
};

/*
 * Finds them: those of the list, or the only one there is.  If several could be
 * meant it is a usage error.  Returns how many there are, with those that are
 * none.
 */
size_t ptl_target_choose(struct ptl_traces *traces, char *const *names,
			 size_t nr, struct ptl_ctl_target **targets);

#endif
