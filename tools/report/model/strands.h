/* SPDX-License-Identifier: MIT */
/*
 * What each thread did while others waited for it: the strand of a thread has
 * all that it waited for, and of a wait is known, where it can be known, who
 * ended it and when.  So it can be asked what came before anything (chain.h).
 */
#ifndef PTL_TOOLS_REPORT_MODEL_STRANDS_H
#define PTL_TOOLS_REPORT_MODEL_STRANDS_H

#include "tools/report/model/awaited.h"

struct ptl_strands;

struct ptl_strands *ptl_strands_new(void);
void ptl_strands_free(struct ptl_strands *strands);
void ptl_strands_learn(struct ptl_strands *strands,
		       const struct ptl_step *step);

/* Whose deed the event is, after it is learned; NULL: nobody's. */
struct ptl_strand *ptl_strands_of(const struct ptl_strands *strands,
				  const struct ptl_step *step);

/* What the thread waits for in the call of an event, after that is learned;
 * NULL: nothing, or not for long. */
const struct ptl_wait *ptl_strands_wait(const struct ptl_strands *strands,
					const struct ptl_step *step);

/* There are no events more. */
void ptl_strands_end(struct ptl_strands *strands);

/* All of them: NULL before the first, and behind the last. */
struct ptl_strand *ptl_strands_next(const struct ptl_strands *strands,
				    const struct ptl_strand *strand);

/* The thread of the process that ended last, of those nobody has begun. */
struct ptl_strand *ptl_strands_last(const struct ptl_strands *strands);

/* Waits that were shorter are not known; ns. */
int64_t ptl_strands_least(const struct ptl_strands *strands);

#endif
