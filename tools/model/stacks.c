/* SPDX-License-Identifier: MIT */
/*
 * Call stacks; see stacks.h.  To find the names of an address is slow, and a
 * log has many millions of frames: those that were seen last are remembered,
 * each with the addresses above it and what was mapped then.
 */
#include "tools/model/stacks.h"

#include <stdlib.h>

#include "tools/lib/say.h"
#include "tools/model/modules.h"

#define RECENT (1 << 17)

/* A frame that was seen. */
struct recent {
	uint64_t maps, address;
	const struct ptl_stack *caller, *stack; /* stack: NULL: none was */
};

/* The caller of an event's place, where no stack was recorded. */
static const struct ptl_stack nobody;

struct ptl_stacks {
	struct ptl_sites *sites;
	struct ptl_hash stacks; /* struct ptl_stack, by caller and site */
	struct recent recent[RECENT];
};

struct ptl_stacks *ptl_stacks_new(struct ptl_sites *sites)
{
	struct ptl_stacks *stacks = ptl_alloc(sizeof(*stacks));

	stacks->sites = sites;
	stacks->stacks.value_size = sizeof(struct ptl_stack);
	return stacks;
}

void ptl_stacks_free(struct ptl_stacks *stacks)
{
	ptl_hash_clear(&stacks->stacks);
	free(stacks);
}

static const struct ptl_stack *get_stack(struct ptl_stacks *stacks,
					 const struct ptl_stack *caller,
					 const struct ptl_site *site)
{
	const void *key[] = {caller, site};
	struct ptl_stack *stack =
		ptl_hash_get(&stacks->stacks, key, sizeof(key));

	if (stack->number == 0)
		*stack = (struct ptl_stack){caller, site, stacks->stacks.nr};
	return stack;
}

static struct recent *recent_of(struct ptl_stacks *stacks,
				const struct recent *frame)
{
	uint64_t hash = frame->address ^ frame->maps << 48;

	if (frame->caller != NULL)
		hash ^= (uint64_t)frame->caller->number << 20;
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	return &stacks->recent[hash >> 32 & (RECENT - 1)];
}

/* A frame of the caller, and those that are inlined there. */
static const struct ptl_stack *call(struct ptl_stacks *stacks,
				    const struct ptl_view *view, uint64_t maps,
				    const struct ptl_stack *caller,
				    uint64_t address)
{
	struct recent frame = {maps, address, caller, caller};
	struct recent *recent = recent_of(stacks, &frame);
	const struct ptl_site *const *site;
	size_t nr;

	if (recent->stack != NULL && recent->address == address &&
	    recent->caller == caller && recent->maps == maps)
		return recent->stack;
	nr = ptl_sites_all(stacks->sites, view, address, &site);
	if (caller == &nobody)
		frame.stack = get_stack(stacks, NULL, site[0]);
	else
		for (; nr > 0; nr--)
			frame.stack =
				get_stack(stacks, frame.stack, site[nr - 1]);
	*recent = frame;
	return frame.stack;
}

const struct ptl_stack *ptl_stacks_of(struct ptl_stacks *stacks,
				      const struct ptl_view *view)
{
	const struct ptl_source *source = view->source;
	uint64_t place = (uintptr_t)view->event->posix_prog_address;
	uint64_t maps = ptl_modules_maps(source->modules, view->event);
	const struct ptl_stack *stack = NULL;
	bool is_entry = view->type->kind->act == PTL_ACT_THREAD_START;

	for (size_t i = source->nr_stack; i > (is_entry ? 1 : 0); i--)
		stack = call(stacks, view, maps, stack,
			     (uintptr_t)source->stack[i - 1]);
	if (is_entry && place != 0)
		return get_stack(stacks, stack,
				 ptl_sites_entry(stacks->sites, view));
	if (stack == NULL && place != 0)
		stack = call(stacks, view, maps, &nobody, place);
	return stack;
}

const struct ptl_stack *ptl_stacks_next(const struct ptl_stacks *stacks,
					const struct ptl_stack *stack)
{
	return ptl_hash_next(&stacks->stacks, stack);
}
