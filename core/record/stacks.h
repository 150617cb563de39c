/* SPDX-License-Identifier: MIT */
/*
 * The call stack that goes with an event.  The frames stay where they were
 * found until they are in the record: there is no room for them on the
 * program's stack.
 */
#ifndef PTL_CORE_RECORD_STACKS_H
#define PTL_CORE_RECORD_STACKS_H

#include "core/shm/map.h"
#include "core/unwind/scratch.h"
#include "core/unwind/unwind.h"

struct ptl_recorded_stack {
	const uint64_t *frame;
	size_t nr; /* 0: none */
	struct ptl_desk *desk;
	uint64_t caller;
};
extern struct ptl_recorded_stack ptl_no_stack
	__attribute__((visibility("hidden")));

static_assert(sizeof(struct ptl_unwinding) <=
		      sizeof(((struct ptl_desk *)NULL)->word),
	      "on a desk");

/* Does one go with an event at addr?  What happened at no place of the program
 * has none. */
PTL_INLINE bool ptl_stack_goes(const struct ptl_map *map, uint64_t addr)
{
	return map->stack_depth && addr;
}

/*
 * The calling thread's from `addr' outwards, unwound on `own', if it is not
 * NULL and not in use, and with `walked' (unwind.h).  Where there is no memory
 * to unwind on it is cut, which is counted.
 */
PTL_INLINE void ptl_stack_take(struct ptl_recorded_stack *stack,
			       const struct ptl_map *map, uint64_t addr,
			       struct ptl_desk *own, struct ptl_walked *walked)
{
	struct ptl_desk *desk = ptl_desk_take(own);
	struct ptl_unwinding *unwinding;
	bool is_cut = true;

	stack->desk = desk;
	stack->caller = addr;
	stack->frame = &stack->caller;
	stack->nr = 1;
	if (PTL_LIKELY(desk != NULL)) {
		unwinding = (struct ptl_unwinding *)(void *)desk->word;
		stack->frame = unwinding->found.frame;
		stack->nr =
			ptl_unwind(unwinding, map->stack_depth, addr, walked);
		is_cut = unwinding->walk.is_cut;
	}
	if (PTL_UNLIKELY(is_cut))
		atomic_fetch_add_explicit(&map->head->stacks_cut, 1,
					  memory_order_relaxed);
}

/* The record is written. */
PTL_INLINE void ptl_stack_put(struct ptl_recorded_stack *stack)
{
	if (PTL_LIKELY(stack->desk != NULL))
		ptl_desk_put(stack->desk);
}

#endif
