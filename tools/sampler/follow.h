/* SPDX-License-Identifier: MIT */
/* What the kernel's records say, in their order: told as events. */
#ifndef PTL_TOOLS_SAMPLER_FOLLOW_H
#define PTL_TOOLS_SAMPLER_FOLLOW_H

#include "tools/sampler/events.h"

struct ptl_follow {
	pid_t target; /* the first process */
};

/* ptl_events_take, of struct ptl_follow. */
ptl_events_take ptl_follow_record;

#endif
