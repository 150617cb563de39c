/* SPDX-License-Identifier: MIT */
/*
 * Which calls of hooked functions a thread is in: since when, and what else is
 * to be recorded when they end.  A call is known by where its return address is
 * on the stack; one that is not known is recorded without it.  So it does no
 * harm that functions are also left by jumps and exceptions.  A handler may
 * come at any instruction, and begin and end calls of its own; if it does not
 * come back, what it began is dropped as what was left by any other jump.
 *
 * A thread may have several stacks, of coroutines or for handlers.  Each has a
 * nest of its own, the last few ones; nobody tells when the thread goes to
 * another one: it is seen when a call is far away from those of the nest.
 */
#ifndef PTL_CORE_RECORD_NEST_H
#define PTL_CORE_RECORD_NEST_H

#include "core/buffer/slot.h"
#include "core/core.h"

#define PTL_NEST_CALLS 1024
#define PTL_NEST_WORDS 4096

/* Two calls so close to each other are on one stack, as a rule: where that is
 * not so, what is on one of them is taken to be left when it goes on on the
 * other. */
#define PTL_NEST_NEAR 32768

struct ptl_nest_call {
	uint64_t at;
	uint64_t since;
	uint32_t first, nr; /* of its words */
};

/* The first call is none: above all others, so that there is always one.  It is
 * at no place where one could be. */
struct ptl_nest {
	uint32_t nr;	 /* 0: never used */
	uint32_t number; /* among those of the thread */
	uint64_t used;	 /* when last, in order */
	struct ptl_nest_call call[PTL_NEST_CALLS];
	uint64_t word[PTL_NEST_WORDS];
	uint64_t allocating; /* at; 0: the thread is in none (allocating.c) */
	struct ptl_core_allocation allocation;
};
static_assert(sizeof(struct ptl_nest) * PTL_NESTS <= PTL_SLOT_MEMORY,
	      "of a thread");

/* Of the calling thread the one used last; NULL: there is no memory, or no
 * system call may be made to have it. */
struct ptl_nest *ptl_nest_mine(void) __attribute__((noinline));

/* Gives back the memory of all of a slot's. */
void ptl_nest_free(struct ptl_nest *nest);

/*
 * The one for a call there, which is used from now on, without calls that were
 * left: stacks grow downwards.  NULL: it is full.  And the one that is in the
 * call there, or NULL.  nest: any of the thread's.
 */
struct ptl_nest *ptl_nest_for(struct ptl_nest *nest, uintptr_t at)
	__attribute__((noinline));
struct ptl_nest *ptl_nest_in(struct ptl_nest *nest, uintptr_t at)
	__attribute__((noinline));

/*
 * A call begins, in *own, or in another one, which is *own then; NULL: there is
 * no place.  A handler that comes before the
 * number is changed takes the same place, and one that comes later looks at the
 * call: so where it is is stored before and after that.
 */
PTL_INLINE struct ptl_nest_call *ptl_nest_push(struct ptl_nest **own,
					       uintptr_t at, uint64_t since)
{
	struct ptl_nest *nest = *own;
	uint32_t i = nest->nr;
	struct ptl_nest_call *call;

	if (PTL_UNLIKELY(i - 1 >= PTL_NEST_CALLS - 1 ||
			 nest->call[i - 1].at - at - 1 >= PTL_NEST_NEAR)) {
		nest = ptl_nest_for(nest, at);
		if (!nest)
			return NULL;
		*own = nest;
		i = nest->nr;
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

/* The newest call of its stack ends: since when it was in progress; 0: not
 * known. */
PTL_INLINE uint64_t ptl_nest_pop(struct ptl_nest *nest, uintptr_t at)
{
	uint32_t i = nest->nr;
	uint64_t since;

	if (PTL_UNLIKELY(i - 1 >= PTL_NEST_CALLS ||
			 nest->call[i - 1].at != at)) {
		nest = ptl_nest_in(nest, at);
		if (!nest)
			return 0;
		i = nest->nr;
	}
	since = nest->call[i - 1].since;
	PTL_HANDLER_FENCE();
	__atomic_store_n(&nest->nr, i - 1, __ATOMIC_RELAXED);
	return since;
}

#endif
