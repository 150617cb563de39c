/* SPDX-License-Identifier: MIT */
/*
 * Call stacks, as a tree: each frame once, below the frame that called it.  Two
 * stacks that are shown alike are the same, in whichever process they were.
 */
#ifndef PTL_TOOLS_MODEL_STACKS_H
#define PTL_TOOLS_MODEL_STACKS_H

#include "tools/model/sites.h"

struct ptl_stack {
	const struct ptl_stack *caller; /* NULL: this is the outermost frame */
	const struct ptl_site *site;
	size_t number; /* 1, 2 ...: larger than that of the caller */
};

struct ptl_stacks *ptl_stacks_new(struct ptl_sites *sites);
void ptl_stacks_free(struct ptl_stacks *stacks);

/* Where the event was recorded: its innermost frame; of one without a stack,
 * the innermost at the place of its call alone; NULL: not known. */
const struct ptl_stack *ptl_stacks_of(struct ptl_stacks *stacks,
				      const struct ptl_view *view);

/* In the order of their numbers; NULL before the first, and behind the last. */
const struct ptl_stack *ptl_stacks_next(const struct ptl_stacks *stacks,
					const struct ptl_stack *stack);

#endif
