/* SPDX-License-Identifier: MIT */
/* How many processes were at work at a time. */
#ifndef PTL_TOOLS_REPORT_VIEW_PARALLEL_H
#define PTL_TOOLS_REPORT_VIEW_PARALLEL_H

#include "tools/model/model.h"

#define PTL_PARALLEL_SLOTS 40

/*
 * A process is at work while it lives and has no live child that is traced: for
 * else it waits for that one, mostly.  The whole time is divided into slots.
 */
struct ptl_parallel {
	int64_t slot[PTL_PARALLEL_SLOTS]; /* Σ of the processes' ns in it */
	int64_t busy;			  /* Σ of all slots */
	int64_t slot_size;		  /* ns */
	uint64_t max;			  /* at once */
};

/* Of a time that a process lived: how long no child of it did. */
int64_t ptl_parallel_alone(const struct ptl_process *process, int64_t from,
			   int64_t to);

void ptl_parallel_find(struct ptl_parallel *parallel,
		       const struct ptl_model *model);

#endif
