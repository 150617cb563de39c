/* SPDX-License-Identifier: MIT */
/* Processes that a signal ended with where they were: events signal:crash. */
#ifndef PTL_TOOLS_REPORT_MODEL_CRASHES_H
#define PTL_TOOLS_REPORT_MODEL_CRASHES_H

#include "tools/model/model.h"

/* Of such an event: kept in the model. */
void ptl_crashes_learn(const struct ptl_step *step);

/*
 * The frames that say where it was, innermost first: without those of libc by
 * which a program aborts, and those that call main() or a thread.  At most
 * `max' of them; returns how many there are.
 */
size_t ptl_crash_frames(const struct ptl_crash *crash,
			const struct ptl_site **frame, size_t max);

/* Was it an exception that nobody caught? */
bool ptl_crash_is_uncaught(const struct ptl_crash *crash);

#endif
