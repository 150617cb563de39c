/* SPDX-License-Identifier: MIT */
/*
 * The stack that a thread recorded last, kept for the next one, which has most
 * of its frames in common with it.
 *
 * From a frame on the way outwards depends on where the stack stands there,
 * rip, rsp and rbp, and on what is in the memory that it leads through.  So a
 * walk goes frame by frame only until it stands where the last one stood, and
 * then looks whether that memory is as it was; what is not is walked.  The
 * frames are those that a walk alone finds, whatever happened to the stack in
 * between: who is interrupted, jumped out of, wiped by a fork or written over
 * leaves at worst what does not fit any stack.
 */
#ifndef PTL_CORE_UNWIND_LAST_H
#define PTL_CORE_UNWIND_LAST_H

#include "core/format/layout.h"
#include "core/unwind/frame.h"

/* Where the stack stands in a frame. */
struct ptl_walked_frame {
	uint64_t rip, rsp, rbp;
	uint32_t below; /* the next one's rbp was so far below its rsp; 0: is
			 * this one's */
	uint32_t flags;
};

/* A page, the outermost frame first. */
struct ptl_walked {
	uint64_t generation;
	uint64_t nr;
	struct ptl_walked_frame frame[127];
};
static_assert(sizeof(struct ptl_walked) == 4080, "in a page");

/* What is looked for, and found. */
struct ptl_found {
	uint64_t addr;
	uint32_t nr, max;
	uint32_t nr_own; /* frames before that of addr */
	bool is_inside;	 /* addr was met */
	uint64_t frame[PTL_STACK_MAX];
};

/* Frames of ours below that of the call. */
#define PTL_OWN_FRAMES 16

PTL_INLINE bool ptl_found_wants(const struct ptl_found *found)
{
	return found->nr < found->max &&
	       (found->is_inside || found->nr_own < PTL_OWN_FRAMES);
}

PTL_INLINE void ptl_found_add(struct ptl_found *found, uint64_t rip)
{
	found->nr_own += !found->is_inside;
	if (found->is_inside && !ptl_frame_is_hidden(rip))
		found->frame[found->nr++] = rip;
	found->is_inside |= rip == found->addr;
}

/* As ptl_unwind() with `walked', which nobody else uses meanwhile.  False: it
 * has to be done without. */
bool ptl_walked_unwind(struct ptl_walked *walked, struct ptl_walk *walk,
		       struct ptl_found *found);

#endif
