/* SPDX-License-Identifier: MIT */
/*
 * During a walk its frames are stored at the end of the page, the innermost
 * last, after the frames that are kept from the last walk.  The contents of the
 * page may change at any time: a fork in a handler wipes it.  So nothing found
 * there is used before it is compared.
 */
#include "core/unwind/last.h"

#include "core/unwind/cache.h"

#if defined(__x86_64__)

#define ROOM PTL_ARRAY_SIZE(((struct ptl_walked *)NULL)->frame)

/* The walk ends at this frame. */
#define LAST 1u
/* This frame has no valid address. */
#define NOWHERE 2u
/* The step to the next frame changes rip only. */
#define SITE 4u

/* After so many steps beyond the kept frames, the whole stack is walked again
 * and kept. */
#define BEYOND 16

static struct ptl_walked_frame stand(const struct ptl_walk *walk,
				     uint32_t flags)
{
	return (struct ptl_walked_frame){
		.rip = walk->regs.value[PTL_CFI_RIP],
		.rsp = walk->regs.value[PTL_CFI_RSP],
		.rbp = walk->regs.value[PTL_CFI_RBP],
		.below = walk->below,
		.flags = flags,
	};
}

/* Do rip, rsp and rbp describe the frame completely? */
static bool is_plain(const struct ptl_walk *walk)
{
	return !walk->is_exact && ptl_dwarf_knows(&walk->regs, PTL_CFI_RBP);
}

static void keep(struct ptl_walked_use *use,
		 const struct ptl_walked_frame *frame)
{
	if (!use->is_kept)
		return;
	if (use->first == use->nr)
		use->nr = 0;
	if (use->first == 0)
		use->is_kept = false;
	else
		use->walked->frame[--use->first] = *frame;
}

/* The frames further in depend on more than rip, rsp and rbp. */
static void keep_none(struct ptl_walked_use *use)
{
	use->first = ROOM;
}

/* A copy, which no handler can change. */
static struct ptl_walked_frame get(const struct ptl_walked_use *use, uint32_t i)
{
	struct ptl_walked_frame frame = use->walked->frame[i];

	PTL_HANDLER_FENCE();
	return frame;
}

/* Does the walk stand where the last walk stood? use->nr becomes the number
 * after that frame, or the number of frames that may still match. */
static bool meets(struct ptl_walked_use *use, const struct ptl_walk *walk)
{
	const struct ptl_walked_frame *frame = use->walked->frame;
	uint64_t rsp = walk->regs.value[PTL_CFI_RSP];
	uint32_t i;

	if (use->nr == 0 || !is_plain(walk))
		return false;
	while (use->nr > 0 && frame[use->nr - 1].rsp < rsp)
		use->nr--;
	for (i = use->nr; i > 0 && frame[i - 1].rsp == rsp; i--)
		if (frame[i - 1].rip == walk->regs.value[PTL_CFI_RIP] &&
		    frame[i - 1].rbp == walk->regs.value[PTL_CFI_RBP]) {
			use->nr = i;
			return true;
		}
	return false;
}

/* Does the memory that leads from one frame to the next still say the same? */
static bool leads(struct ptl_walk *walk, const struct ptl_walked_frame *from,
		  const struct ptl_walked_frame *to)
{
	uint64_t value;

	if (from->flags & SITE)
		return true;
	return ptl_frame_load(walk, to->rsp - 8, &value) && value == to->rip &&
	       (!from->below ||
		(ptl_frame_load(walk, to->rsp - from->below, &value) &&
		 value == to->rbp));
}

enum followed {
	DONE, /* all frames that are wanted were found */
	LEFT, /* the memory has changed: walk on from the frame that was met */
	MORE, /* the walk goes on after the outermost kept frame */
};

/* Follows the kept frames outwards from the one that was met. */
static __attribute__((noinline)) enum followed
follow(struct ptl_walked_use *use, struct ptl_walk *walk,
       struct ptl_found *found)
{
	uint32_t nr = found->nr, nr_own = found->nr_own;
	bool is_inside = found->is_inside;
	struct ptl_walked_frame frame = get(use, use->nr - 1), next;

	for (uint32_t i = use->nr - 1; ptl_found_wants(found); i--) {
		if (frame.flags & LAST)
			return DONE;
		if (i == 0) {
			walk->regs.value[PTL_CFI_RIP] = frame.rip;
			walk->regs.value[PTL_CFI_RSP] = frame.rsp;
			walk->regs.value[PTL_CFI_RBP] = frame.rbp;
			walk->regs.known = 1u << PTL_CFI_RIP |
					   1u << PTL_CFI_RSP |
					   1u << PTL_CFI_RBP;
			walk->is_partial = true;
			return MORE;
		}
		next = get(use, i - 1);
		if (!leads(walk, &frame, &next)) {
			found->nr = nr;
			found->nr_own = nr_own;
			found->is_inside = is_inside;
			use->nr = i;
			return LEFT;
		}
		if (!(next.flags & NOWHERE))
			ptl_found_add(found, next.rip);
		frame = next;
	}
	return DONE;
}

/* One step, which is kept.  False: it was the last. */
static bool go(struct ptl_walked_use *use, struct ptl_walk *walk,
	       struct ptl_found *found)
{
	struct ptl_walked_frame *from = &use->from;
	bool plain = is_plain(walk);
	uint64_t rip;
	enum ptl_step how;

	*from = stand(walk, 0);
	how = ptl_frame_step(walk);
	rip = walk->regs.value[PTL_CFI_RIP];
	if (how >= PTL_STEP_END)
		use->is_kept &= how == PTL_STEP_END && plain;
	from->below = walk->below;
	from->flags = (how == PTL_STEP_SITE ? SITE : 0) |
		      (how == PTL_STEP_END ? LAST : 0);
	if (how == PTL_STEP_OTHER || !plain || !is_plain(walk))
		keep_none(use);
	else
		keep(use, from);
	if (how >= PTL_STEP_END)
		return false;
	if (!ptl_address_is_code(rip)) {
		*from = stand(walk, LAST | NOWHERE);
		keep(use, from);
		return false;
	}
	ptl_found_add(found, rip);
	return true;
}

/* Walks on after the outermost kept frame. */
static __attribute__((noinline)) bool go_beyond(struct ptl_walked_use *use,
						struct ptl_walk *walk,
						struct ptl_found *found)
{
	unsigned int nr = 0;

	while (ptl_found_wants(found)) {
		enum ptl_step how = ptl_frame_step(walk);

		if (how == PTL_STEP_AGAIN)
			return false;
		if (how >= PTL_STEP_END ||
		    !ptl_address_is_code(walk->regs.value[PTL_CFI_RIP]))
			break;
		ptl_found_add(found, walk->regs.value[PTL_CFI_RIP]);
		nr++;
	}
	use->is_kept &= nr <= BEYOND;
	return true;
}

/* The frames from the one that was met stay, and those that led there are put
 * after them. */
static void finish(struct ptl_walked_use *use, uint64_t generation)
{
	struct ptl_walked *walked = use->walked;

	if (!use->is_kept)
		return;
	for (uint32_t i = use->first; i < ROOM; i++)
		walked->frame[use->nr++] = walked->frame[i];
	walked->generation = generation;
	PTL_HANDLER_FENCE();
	walked->nr = use->nr;
}

/* True: the rest of the stack was among the kept frames. */
static __attribute__((noinline)) bool walk_on(struct ptl_walked_use *use,
					      struct ptl_walk *walk,
					      struct ptl_found *found,
					      enum followed *followed)
{
	while (ptl_found_wants(found)) {
		if (meets(use, walk)) {
			*followed = follow(use, walk, found);
			if (*followed != LEFT)
				return true;
		}
		if (!go(use, walk, found))
			return false;
	}
	if (is_plain(walk)) {
		struct ptl_walked_frame frame = stand(walk, 0);

		keep(use, &frame);
	}
	return false;
}

/* In parts, each of which takes stack only while it runs. */
bool ptl_walked_unwind(struct ptl_walked_use *use, struct ptl_walked *walked,
		       struct ptl_walk *walk, struct ptl_found *found)
{
	enum followed followed;

	use->walked = walked;
	use->nr = (uint32_t)PTL_MIN(walked->nr, ROOM);
	use->first = ROOM;
	use->is_kept = true;
	if (walked->generation != walk->generation)
		use->nr = 0;
	/* If a handler leaves us here by siglongjmp(), nothing is kept. */
	walked->nr = 0;
	PTL_HANDLER_FENCE();
	if (!walk_on(use, walk, found, &followed))
		use->nr = 0;
	else if (followed == MORE && !go_beyond(use, walk, found))
		return false;
	finish(use, walk->generation);
	return true;
}

#else

bool ptl_walked_unwind(struct ptl_walked_use *use, struct ptl_walked *walked,
		       struct ptl_walk *walk, struct ptl_found *found)
{
	(void)use, (void)walked, (void)walk, (void)found;
	return false;
}

#endif
