/* SPDX-License-Identifier: MIT */
/*
 * The parent of the controller process, which does nothing but wait for it.  If
 * the controller is killed, for instance for want of memory, the guardian makes
 * another, which goes on with the stream and its log; if it ends by itself, so
 * does the guardian.
 */
#ifndef PTL_TOOLS_MONITOR_GUARDIAN_H
#define PTL_TOOLS_MONITOR_GUARDIAN_H

#include <stdatomic.h>
#include <stdbool.h>

#include "tools/monitor/trigger/act.h"

/* What one controller leaves to the next, in memory that they share. */
struct ptl_ward {
	atomic_bool is_ready;  /* it was reported that tracing has started */
	atomic_bool must_stop; /* a request of the front, and: */
	atomic_bool must_finish;
	atomic_bool has_left; /* it was answered that processes are left */
	struct ptl_fired fired;
};

/*
 * The caller becomes the guardian, and returns as each controller that it
 * makes: *is_next, if there was another before.  Of the log, which is a file,
 * the stream is known.  Where there can be no guardian the caller is the only
 * controller.  NULL: no memory.
 */
struct ptl_ward *ptl_guardian_become(int log_fd, bool *is_next);

/* In the first controller: there is a stream. */
void ptl_guardian_begin(void);

#endif
