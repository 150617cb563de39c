/* SPDX-License-Identifier: MIT */
/* Calls in progress; see nest.h. */
#include "core/record/nest.h"

#include "core/buffer/outsider.h"
#include "core/core.h"
#include "core/record/slots.h"
#include "core/sys/syscall.h"
#include "core/unwind/scratch.h"

struct ptl_nest *ptl_nest_mine(void)
{
	struct ptl_slot *slot;
	void *memory, *none = NULL;

	if (PTL_UNLIKELY(ptl_outsider()))
		return NULL;
	slot = ptl_thread.slot;
	if (PTL_LIKELY(slot->memory))
		return slot->memory;
	/* A slot that it took now would never be put back. */
	if (ptl_thread.ended || !ptl_slots_may_call() ||
	    !(slot = ptl_slot_mine()))
		return NULL;
	memory = ptl_sys_mmap(NULL, PTL_SLOT_MEMORY, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
			      0);
	if (memory == MAP_FAILED)
		return NULL;
	/* A handler may have been here. */
	if (__atomic_compare_exchange_n(&slot->memory, &none, memory, false,
					__ATOMIC_RELAXED, __ATOMIC_RELAXED))
		return memory;
	ptl_sys_munmap(memory, PTL_SLOT_MEMORY);
	return none;
}

void ptl_nest_free(struct ptl_nest *nest)
{
	ptl_sys_munmap(nest - nest->number, PTL_SLOT_MEMORY);
}

/* The main thread's own stack is below that top, that of another one below its
 * pthread_t; other stacks are far enough away, as a rule. */
#define OWN_STACK (UINT64_C(8) << 20)

static bool is_own(uintptr_t at)
{
	const struct ptl_slot *slot = ptl_thread.slot;
	uint64_t top = slot->thread;

	if (ptl_thread.tid == slot->pid)
		top = ptl_unwind_main_top;
	return at < top && top - at < OWN_STACK;
}

static uint64_t newest(const struct ptl_nest *nest)
{
	uint32_t nr = PTL_MIN(nest->nr, PTL_NEST_CALLS);

	return nr > 0 ? nest->call[nr - 1].at : 0;
}

/* How far away from what is in it. */
static uint64_t distance(const struct ptl_nest *nest, uintptr_t at)
{
	uint64_t low = newest(nest), high = nest->call[0].at;

	return at < low ? low - at : at > high ? at - high : 0;
}

/* The first one is the own stack's.  NULL: another one, not seen before. */
static struct ptl_nest *nearest(struct ptl_nest *nest, uintptr_t at)
{
	struct ptl_nest *all = nest - nest->number;
	uint64_t best = 2 * PTL_NEST_NEAR;

	if (is_own(at))
		return all;
	nest = NULL;
	for (uint32_t k = 1; k < PTL_NESTS; k++) {
		if (all[k].nr == 0 || distance(&all[k], at) >= best)
			continue;
		nest = &all[k];
		best = distance(nest, at);
	}
	return nest;
}

/* Of those of other stacks, but not the one that a handler may have
 * interrupted. */
static struct ptl_nest *take_oldest(struct ptl_nest *nest)
{
	struct ptl_nest *all = nest - nest->number, *oldest = NULL;

	for (uint32_t k = 1; k < PTL_NESTS; k++)
		if (&all[k] != nest && (!oldest || all[k].used < oldest->used))
			oldest = &all[k];
	oldest->nr = 0;
	oldest->number = (uint32_t)(oldest - all);
	return oldest;
}

static void use(struct ptl_nest *nest)
{
	nest->used = ++(nest - nest->number)->used;
	ptl_thread.slot->memory = nest;
}

struct ptl_nest *ptl_nest_for(struct ptl_nest *nest, uintptr_t at)
{
	struct ptl_nest *found = nearest(nest, at);
	uint32_t nr;

	if (!found)
		found = take_oldest(nest);
	if (found != nest)
		use(found);
	nr = PTL_MIN(found->nr, PTL_NEST_CALLS);
	while (nr > 1 && found->call[nr - 1].at <= at)
		nr--;
	if (nr <= 1) {
		/* Calls that begin near there are below it, too. */
		found->call[0].at = (at + PTL_NEST_NEAR / 2) | 1;
		nr = 1;
	}
	found->nr = nr;
	return nr < PTL_NEST_CALLS ? found : NULL;
}

/* Drops those that were called in it, and left. */
static bool is_in(struct ptl_nest *nest, uintptr_t at)
{
	uint32_t nr = PTL_MIN(nest->nr, PTL_NEST_CALLS);

	if (nr < 2 || at < newest(nest) || at >= nest->call[0].at)
		return false;
	while (nr > 1 && nest->call[nr - 1].at < at)
		nr--;
	if (nest->call[nr - 1].at != at)
		return false;
	nest->nr = nr;
	return true;
}

struct ptl_nest *ptl_nest_in(struct ptl_nest *nest, uintptr_t at)
{
	struct ptl_nest *all = nest - nest->number;

	if (is_in(nest, at))
		return nest;
	for (uint32_t k = 0; k < PTL_NESTS; k++) {
		if (!is_in(&all[k], at))
			continue;
		use(&all[k]);
		return &all[k];
	}
	return NULL;
}

bool ptl_core_nest_is_newest(uintptr_t at)
{
	struct ptl_nest *nest = ptl_nest_mine();

	if (nest && newest(nest) != at)
		nest = nearest(nest, at);
	return nest && nest->nr > 1 && newest(nest) == at;
}

uint32_t ptl_core_nest_depth(uintptr_t at)
{
	struct ptl_nest *nest = ptl_nest_mine();

	if (!nest)
		return 0;
	nest = ptl_nest_for(nest, at);
	return nest ? nest->nr - 1 : PTL_NEST_CALLS - 1;
}

bool ptl_core_nest_enter(uintptr_t at, uint64_t since, const uint64_t *words,
			 size_t nr)
{
	struct ptl_nest *nest = ptl_nest_mine();
	struct ptl_nest_call *call;
	uint32_t first;

	call = nest ? ptl_nest_push(&nest, at, since) : NULL;
	if (!call)
		return false;
	first = call[-1].first + call[-1].nr;
	if (first > PTL_NEST_WORDS || nr > PTL_NEST_WORDS - first) {
		ptl_core_nest_leave(at);
		return false;
	}
	call->first = first;
	call->nr = (uint32_t)nr;
	/* A handler goes on behind them from here. */
	PTL_HANDLER_FENCE();
	for (size_t k = 0; k < nr; k++)
		nest->word[first + k] = words[k];
	return true;
}

uint64_t ptl_core_nest_leave(uintptr_t at)
{
	struct ptl_nest *nest = ptl_nest_mine();

	return nest ? ptl_nest_pop(nest, at) : 0;
}

bool ptl_core_nest_works(void)
{
	return ptl_nest_mine() != NULL;
}

const uint64_t *ptl_core_nest_kept(size_t *nr)
{
	struct ptl_nest *nest = ptl_nest_mine();
	const struct ptl_nest_call *call;

	*nr = 0;
	if (!nest || nest->nr >= PTL_NEST_CALLS)
		return NULL;
	call = &nest->call[nest->nr];
	if (call->first > PTL_NEST_WORDS ||
	    call->nr > PTL_NEST_WORDS - call->first)
		return NULL;
	*nr = call->nr;
	return &nest->word[call->first];
}

/* A call's own two, by its number. */
static uint64_t *words_of(struct ptl_nest *nest, uint32_t i)
{
	static_assert(2 * PTL_NEST_CALLS <= PTL_NEST_WORDS, "for each");

	return &nest->word[2 * i];
}

void ptl_core_nest_keep(uintptr_t at, uint64_t callee, uint64_t word)
{
	struct ptl_nest *nest = ptl_nest_mine();
	uint64_t *words;

	if (!nest || newest(nest) != at)
		return;
	words = words_of(nest, PTL_MIN(nest->nr, PTL_NEST_CALLS) - 1);
	words[0] = callee;
	words[1] = word;
}

uint64_t ptl_core_nest_word(uintptr_t at, uint64_t callee)
{
	struct ptl_nest *nest = ptl_nest_mine(), *in;
	const uint64_t *words;
	uint32_t i;

	if (!nest)
		return 0;
	in = ptl_nest_in(nest, at);
	i = in ? in->nr - 1 : nest->nr;
	in = in ? in : nest;
	if (i >= PTL_NEST_CALLS || in->call[i].at != at)
		return 0;
	words = words_of(in, i);
	return words[0] == callee ? words[1] : 0;
}
