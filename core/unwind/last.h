/* SPDX-License-Identifier: MIT */
/*
 * The stack of a thread's last event, kept for the next one, which has most of
 * its frames in common with it.
 *
 * The frames outwards of a given one depend only on rip, rsp and rbp there, and
 * on the memory that the walk reads.  So a walk goes frame by frame only until
 * it stands where the last walk stood.  From there it compares that memory with
 * the kept frames, and walks again where it differs.  The frames found are
 * those of a full walk, whatever happened to the stack in between: a walk that
 * was interrupted, left by siglongjmp(), wiped by a fork or overwritten leaves
 * at worst frames that match no stack.
 */
#ifndef PTL_CORE_UNWIND_LAST_H
#define PTL_CORE_UNWIND_LAST_H

#include "core/format/layout.h"
#include "core/unwind/frame.h"

/* Where a frame stands. */
struct ptl_walked_frame {
	uint64_t rip, rsp, rbp;
	uint32_t below; /* distance of the next frame's rbp below its rsp;
			 * 0: rbp is the same */
	uint32_t flags;
};

/* Fits into a page; the outermost frame comes first. */
struct ptl_walked {
	uint64_t generation;
	uint64_t nr;
	struct ptl_walked_frame frame[127];
};
static_assert(sizeof(struct ptl_walked) == 4080, "in a page");

/* What a walk does with the frames. */
struct ptl_walked_use {
	struct ptl_walked *walked;
	/* The frames before this one were kept from the last walk and may still
	 * be valid. */
	uint32_t nr;
	/* The frames of this walk are kept from here on, if they are kept at
	 * all. */
	uint32_t first;
	bool is_kept;
	struct ptl_walked_frame from; /* where a step begins */
};

/* What is searched, and what is found. */
struct ptl_found {
	uint64_t addr;
	uint32_t nr, max;
	uint32_t nr_own; /* frames before the one that returns to addr */
	bool is_inside;	 /* addr was met */
	uint64_t frame[PTL_STACK_MAX];
};

/* At most so many frames of ours are below that of the call. */
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

/* Like ptl_unwind() with `walked', which is not used by others meanwhile.
 * False: walk again without it. */
bool ptl_walked_unwind(struct ptl_walked_use *use, struct ptl_walked *walked,
		       struct ptl_walk *walk, struct ptl_found *found);

#endif
