/* SPDX-License-Identifier: MIT */
/* What the kernel's records say, in their order: told as events. */
#ifndef PTL_TOOLS_SAMPLER_FOLLOW_H
#define PTL_TOOLS_SAMPLER_FOLLOW_H

#include "tools/sampler/events.h"

struct ptl_follow {
	const struct ptl_events *events;
	pid_t target; /* the first process */
	unsigned int hz, stack;
	bool has_kernel; /* samples are of the kernel, too */
	bool has_samples;
	uint64_t least;	   /* times off from so many ns on; 0: none of them */
	bool has_children; /* what processes fork is looked at, too */
	bool is_paused;	   /* the trace is stopped */
	uint64_t lost;	   /* that was told */
	uint64_t forks;	   /* of what is looked at */
};

/* ptl_events_take, of struct ptl_follow. */
ptl_events_take ptl_follow_record;

/* After the last record: so many were lost in all, and of some of them no
 * record may tell. */
void ptl_follow_lost(struct ptl_follow *follow, uint64_t lost, uint64_t when);

#endif
