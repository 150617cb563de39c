/* SPDX-License-Identifier: MIT */
/* How long all threads together were off the processor, by sched:off. */
#ifndef PTL_TOOLS_REPORT_MODEL_OFF_ALL_H
#define PTL_TOOLS_REPORT_MODEL_OFF_ALL_H

#include "tools/model/model.h"

struct ptl_off_all {
	int64_t time, preempted; /* ns, of the times that were recorded */
	int64_t nr, preempted_nr;
	int64_t lost;  /* switches */
	int64_t least; /* ns: shorter times are in the sums only; 0: unknown */
	/* Programs that may not be looked at, and why the last one. */
	int64_t nr_secure;
	const char *secure;
};

void ptl_off_all_learn(struct ptl_off_all *all, const struct ptl_step *step);

/* Could the thread of a sched:off have run? */
bool ptl_off_is_preempted(const struct ptl_step *step);

/* Was it for a page that was not in memory?  Its address is that of the
 * instruction. */
bool ptl_off_is_page(const struct ptl_step *step);

#endif
