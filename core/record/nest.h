/* SPDX-License-Identifier: MIT */
/*
 * Which calls of hooked functions a thread is in: since when, and what else is
 * to be recorded when they end.  A call is known by where its return address is
 * on the stack; one that is not known is recorded without it.  So it does no
 * harm that functions are also left by jumps and exceptions, and that stacks
 * are changed.  A handler may come at any instruction, and begin and end calls
 * of its own; if it does not come back, what it began is dropped as what was
 * left by any other jump.
 */
#ifndef PTL_CORE_RECORD_NEST_H
#define PTL_CORE_RECORD_NEST_H

#include "core/buffer/slot.h"
#include "core/core.h"

#define PTL_NEST_CALLS 1024
#define PTL_NEST_WORDS 4096

struct ptl_nest_call {
	uint64_t at;
	uint64_t since;
	uint32_t first, nr; /* of its words */
};

struct ptl_nest {
	uint32_t nr;
	uint32_t reserved;
	struct ptl_nest_call call[PTL_NEST_CALLS];
	uint64_t word[PTL_NEST_WORDS];
	uint64_t allocating; /* at; 0: the thread is in none (allocating.c) */
	struct ptl_core_allocation allocation;
};
static_assert(sizeof(struct ptl_nest) <= PTL_SLOT_MEMORY, "of a thread");

/* Of the calling thread; NULL: there is no memory, or no system call may be
 * made to have it. */
struct ptl_nest *ptl_nest_mine(void) __attribute__((noinline));

/* Drops calls that were left: stacks grow downwards.  How many remain. */
uint32_t ptl_nest_drop(struct ptl_nest *nest, uintptr_t at)
	__attribute__((noinline));

/*
 * A call begins; NULL: there is no place.  A handler that comes before the
 * number is changed takes the same place, and one that comes later looks at the
 * call: so where it is is stored before and after that.
 */
PTL_INLINE struct ptl_nest_call *ptl_nest_push(struct ptl_nest *nest,
					       uintptr_t at, uint64_t since)
{
	uint32_t i = nest->nr;
	struct ptl_nest_call *call;

	if (PTL_UNLIKELY(i >= PTL_NEST_CALLS ||
			 (i > 0 && nest->call[i - 1].at <= at))) {
		i = ptl_nest_drop(nest, at);
		if (i == PTL_NEST_CALLS)
			return NULL;
	}
	call = &nest->call[i];
	call->at = at;
	PTL_HANDLER_FENCE();
	__atomic_store_n(&nest->nr, i + 1, __ATOMIC_RELAXED);
	PTL_HANDLER_FENCE();
	call->at = at;
	call->since = since;
	return call;
}

/* The newest call ends: since when it was in progress; 0: not known. */
PTL_INLINE uint64_t ptl_nest_pop(struct ptl_nest *nest, uintptr_t at)
{
	uint32_t i = nest->nr;
	uint64_t since;

	if (PTL_UNLIKELY(i - 1 >= PTL_NEST_CALLS ||
			 nest->call[i - 1].at != at)) {
		i = ptl_nest_drop(nest, at - 1);
		if (i == 0 || nest->call[i - 1].at != at)
			return 0;
	}
	since = nest->call[i - 1].since;
	PTL_HANDLER_FENCE();
	__atomic_store_n(&nest->nr, i - 1, __ATOMIC_RELAXED);
	return since;
}

#endif
