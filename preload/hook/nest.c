/* SPDX-License-Identifier: MIT */
/*
 * Calls in progress; see nest.h.  A handler may come at any instruction, and
 * begin and end calls of its own; if it does not come back, what it began is
 * dropped as what was left by any other jump.
 */
#include "preload/hook/nest.h"

#define CALLS 1024
#define WORDS 4096

struct call {
	uint64_t at;
	uint64_t since;
	uint32_t first, nr; /* of its words */
};

struct nest {
	uint32_t nr;
	uint32_t reserved;
	struct call call[CALLS];
	uint64_t word[WORDS];
};
static_assert(sizeof(struct nest) <= PTL_CORE_MEMORY, "of a thread");

struct ptl_core_limits ptl_limits;

/* Without calls that were left: stacks grow downwards.  How many are left. */
static uint32_t drop(struct nest *nest, uintptr_t at)
{
	uint32_t nr = PTL_MIN(nest->nr, CALLS);

	while (nr > 0 && nest->call[nr - 1].at <= at)
		nr--;
	nest->nr = nr;
	return nr;
}

bool ptl_nest_is_deep(uintptr_t at)
{
	struct nest *nest = ptl_limits.depth ? ptl_core_thread_memory() : NULL;

	return nest && drop(nest, at) >= ptl_limits.depth;
}

bool ptl_nest_enter(uintptr_t at, const uint64_t *words, size_t nr)
{
	struct nest *nest = ptl_core_thread_memory();
	uint32_t i, first = 0;
	struct call *call;

	if (!nest)
		return false;
	i = drop(nest, at);
	if (i > 0)
		first = nest->call[i - 1].first + nest->call[i - 1].nr;
	if (i == CALLS || first > WORDS || nr > WORDS - first)
		return false;
	call = &nest->call[i];
	call->at = at;
	call->first = first;
	call->nr = (uint32_t)nr;
	/* A handler goes on behind it from here. */
	__atomic_store_n(&nest->nr, i + 1, __ATOMIC_RELAXED);
	PTL_HANDLER_FENCE();
	for (size_t k = 0; k < nr; k++)
		nest->word[first + k] = words[k];
	if (ptl_limits.ticks)
		call->since = ptl_core_ticks(ptl_limits.clock);
	else
		call->since = 1;
	return true;
}

uint64_t ptl_nest_leave(uintptr_t at, const uint64_t **words, size_t *nr)
{
	struct nest *nest = ptl_core_thread_memory();
	const struct call *call;
	uint32_t i;

	if (!nest)
		return 0;
	i = drop(nest, at - 1);
	if (i == 0 || nest->call[i - 1].at != at)
		return 0;
	call = &nest->call[i - 1];
	nest->nr = i - 1;
	if (call->first > WORDS || call->nr > WORDS - call->first)
		return 0;
	*words = &nest->word[call->first];
	*nr = call->nr;
	return call->since;
}
