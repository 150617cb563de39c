/* SPDX-License-Identifier: MIT */
/*
 * What it would gain to shorten what is on a critical path: by how much its end
 * would come earlier if one of its deeds took no time, wherever it is done.
 * That is at most the time that the deed has on the path, and less where
 * another path would be the longest then.
 */
#ifndef PTL_TOOLS_REPORT_MODEL_GAINS_H
#define PTL_TOOLS_REPORT_MODEL_GAINS_H

#include "tools/report/model/wait_sums.h"

/*
 * Of the path that ptl_chain_walk() has told of, from `at' back to `until', and
 * its deeds, those that ptl_deeds_add() has made of it: says the gain of those
 * that took longest.
 */
void ptl_gains_find(const struct ptl_strands *strands, struct ptl_hash *deeds,
		    const void *of, const struct ptl_strand *strand, int64_t at,
		    int64_t until);

#endif
