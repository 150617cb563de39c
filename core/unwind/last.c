/* SPDX-License-Identifier: MIT */
/*
 * While a walk goes on its frames are put at the end of the page, the innermost
 * last, and behind those that stay at its end.  What is in the page may change
 * at any time: a fork in a handler wipes it.  So nothing that is found there is
 * believed before it is compared.
 */
#include "core/unwind/last.h"

#include "core/unwind/cache.h"

#if defined(__x86_64__)

#define ROOM PTL_ARRAY_SIZE(((struct ptl_walked *)NULL)->frame)

/* The walk ends here. */
#define LAST 1u
/* At what is no address. */
#define NOWHERE 2u
/* On to the next one by rip alone. */
#define SITE 4u

/* So many steps beyond what is kept are made before all is walked again, and
 * kept. */
#define BEYOND 16

struct use {
	struct ptl_walked *walked;
	/* What was kept: up to this frame, 1 + its number, it may be as then.
	 */
	uint64_t nr;
	/* What is kept of this walk begins here; or not at all. */
	uint64_t first;
	bool is_kept;
};

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

/* Has a frame no more to it than that? */
static bool is_plain(const struct ptl_walk *walk)
{
	return !walk->is_exact && ptl_dwarf_knows(&walk->regs, PTL_CFI_RBP);
}

static void keep(struct use *use, const struct ptl_walked_frame *frame)
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

/* What is further in depends on more. */
static void keep_none(struct use *use)
{
	use->first = ROOM;
}

/* A copy, which does not change any more. */
static struct ptl_walked_frame get(const struct use *use, uint64_t i)
{
	struct ptl_walked_frame frame = use->walked->frame[i];

	PTL_HANDLER_FENCE();
	return frame;
}

/* Does the walk stand where it stood then?  use->nr is after that frame, or
 * what may still be met. */
static bool meets(struct use *use, const struct ptl_walk *walk)
{
	const struct ptl_walked_frame *frame = use->walked->frame;
	uint64_t rsp = walk->regs.value[PTL_CFI_RSP], i;

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

/* Does what leads from one frame to the next say the same as then? */
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
	DONE, /* all that is wanted was found */
	LEFT, /* it is not as it was, go on where that was found */
	MORE, /* the walk goes on behind what was kept */
};

/* On from a frame that was met. */
static enum followed follow(struct use *use, struct ptl_walk *walk,
			    struct ptl_found *found)
{
	uint32_t nr = found->nr, nr_own = found->nr_own;
	bool is_inside = found->is_inside;
	struct ptl_walked_frame frame = get(use, use->nr - 1), next;

	for (uint64_t i = use->nr - 1; ptl_found_wants(found); i--) {
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

/* A step, which is kept.  False: it was the last. */
static bool go(struct use *use, struct ptl_walk *walk, struct ptl_found *found)
{
	struct ptl_walked_frame frame = stand(walk, 0);
	bool plain = is_plain(walk);
	enum ptl_step how = ptl_frame_step(walk);
	uint64_t rip = walk->regs.value[PTL_CFI_RIP];

	if (how >= PTL_STEP_END)
		use->is_kept &= how == PTL_STEP_END && plain;
	frame.below = walk->below;
	frame.flags = (how == PTL_STEP_SITE ? SITE : 0) |
		      (how == PTL_STEP_END ? LAST : 0);
	if (how == PTL_STEP_OTHER || !plain || !is_plain(walk))
		keep_none(use);
	else
		keep(use, &frame);
	if (how >= PTL_STEP_END)
		return false;
	if (!ptl_address_is_code(rip)) {
		frame = stand(walk, LAST | NOWHERE);
		keep(use, &frame);
		return false;
	}
	ptl_found_add(found, rip);
	return true;
}

/* Behind what was kept. */
static bool go_beyond(struct use *use, struct ptl_walk *walk,
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

/* What was met stays, and what led there comes behind it. */
static void finish(struct use *use, uint64_t generation)
{
	struct ptl_walked *walked = use->walked;

	if (!use->is_kept)
		return;
	for (uint64_t i = use->first; i < ROOM; i++)
		walked->frame[use->nr++] = walked->frame[i];
	walked->generation = generation;
	PTL_HANDLER_FENCE();
	walked->nr = use->nr;
}

/* True: the rest was kept. */
static bool walk_on(struct use *use, struct ptl_walk *walk,
		    struct ptl_found *found, enum followed *followed)
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

bool ptl_walked_unwind(struct ptl_walked *walked, struct ptl_walk *walk,
		       struct ptl_found *found)
{
	struct use use = {walked, PTL_MIN(walked->nr, ROOM), ROOM, true};
	enum followed followed;

	if (walked->generation != walk->generation)
		use.nr = 0;
	/* Who leaves us here leaves nothing. */
	walked->nr = 0;
	PTL_HANDLER_FENCE();
	if (!walk_on(&use, walk, found, &followed))
		use.nr = 0;
	else if (followed == MORE && !go_beyond(&use, walk, found))
		return false;
	finish(&use, walk->generation);
	return true;
}

#else

bool ptl_walked_unwind(struct ptl_walked *walked, struct ptl_walk *walk,
		       struct ptl_found *found)
{
	(void)walked, (void)walk, (void)found;
	return false;
}

#endif
