/* SPDX-License-Identifier: MIT */
/*
 * Call stacks as Trace Event JSON has them: each frame once, in "stackFrames",
 * with the frame that called it; events have the number of their innermost one.
 */
#ifndef PTL_TOOLS_DUMP_EXPORT_CHROME_STACKS_H
#define PTL_TOOLS_DUMP_EXPORT_CHROME_STACKS_H

#include "tools/lib/hash.h"
#include "tools/lib/out.h"
#include "tools/model/view.h"

/* Initialized by zeros. */
struct ptl_chrome_stacks {
	struct ptl_hash frames; /* their numbers, by caller and name */
};

/* The event's; 0: it has none. */
uint32_t ptl_chrome_stack(struct ptl_chrome_stacks *stacks,
			  const struct ptl_view *view);

/* The object of all frames; by their numbers, which are strings there. */
void ptl_chrome_stacks_put(const struct ptl_chrome_stacks *stacks,
			   struct ptl_out *out);
void ptl_chrome_stacks_free(struct ptl_chrome_stacks *stacks);

#endif
