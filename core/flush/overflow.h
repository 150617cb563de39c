/* SPDX-License-Identifier: MIT */
/*
 * Gaps between the events of a log: what the stream lost, and what it did not
 * record while it was full.
 */
#ifndef PTL_CORE_FLUSH_OVERFLOW_H
#define PTL_CORE_FLUSH_OVERFLOW_H

#include "core/flush/copy.h"

/* Before the pass: takes up a loss that nobody told yet.  0, or what the log
 * said. */
int ptl_overflow_take(struct ptl_copy *pass);

/* After it: OVERFLOW, and RESUME if the pass found out where it goes on. */
int ptl_overflow_tell(struct ptl_copy *pass);

/*
 * A stream that stopped because it was full: tells when, what was lost since,
 * and, but for the `last' time, lets it run again now that there is room.
 */
int ptl_overflow_restart(struct ptl_copy *pass, bool last);

#endif
