/* SPDX-License-Identifier: MIT */
/* The calls of a log as paths, each below the program that made it. */
#ifndef PTL_TOOLS_REPORT_MODEL_CALL_PATHS_H
#define PTL_TOOLS_REPORT_MODEL_CALL_PATHS_H

#include "tools/model/model.h"
#include "tools/report/model/paths.h"

/* What a path is worth. */
enum ptl_measure {
	PTL_MEASURE_WALL,   /* ns in calls, over all threads */
	PTL_MEASURE_EVENTS, /* with that call stack */
	PTL_MEASURE_CALLS,  /* of functions, by the place that calls them */
	PTL_MEASURE_BYTES,  /* that were allocated with that call stack */
	PTL_MEASURE_PEAK,   /* of these, there when the process had most */
	PTL_MEASURE_LEAKED, /* of these, not freed by the process's end */
	PTL_MEASURES,
};

struct ptl_call_paths;

/* `folds': what calls itself is one path. */
struct ptl_call_paths *ptl_call_paths_new(struct ptl_model *model, bool folds);
void ptl_call_paths_free(struct ptl_call_paths *calls);
void ptl_call_paths_learn(struct ptl_call_paths *calls,
			  const struct ptl_step *step);

/* After the last event: all of them, summed up. */
const struct ptl_paths *ptl_call_paths_end(struct ptl_call_paths *calls,
					   enum ptl_measure *measure);

/* Are they of sums, of which only the innermost callers are known? */
bool ptl_call_paths_are_shared(const struct ptl_call_paths *calls);

/* Paths by that measure; NULL: they are not worth anything by it.  Valid until
 * the next call. */
const struct ptl_paths *ptl_call_paths_weigh(struct ptl_call_paths *calls,
					     enum ptl_measure measure);

#endif
