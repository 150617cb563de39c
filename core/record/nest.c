/* SPDX-License-Identifier: MIT */
/* Calls in progress; see nest.h. */
#include "core/record/nest.h"

#include "core/buffer/outsider.h"
#include "core/core.h"
#include "core/record/slots.h"
#include "core/sys/syscall.h"

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
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return NULL;
	/* A handler may have been here. */
	if (__atomic_compare_exchange_n(&slot->memory, &none, memory, false,
					__ATOMIC_RELAXED, __ATOMIC_RELAXED))
		return memory;
	ptl_sys_munmap(memory, PTL_SLOT_MEMORY);
	return none;
}

uint32_t ptl_nest_drop(struct ptl_nest *nest, uintptr_t at)
{
	uint32_t nr = PTL_MIN(nest->nr, PTL_NEST_CALLS);

	while (nr > 0 && nest->call[nr - 1].at <= at)
		nr--;
	nest->nr = nr;
	return nr;
}

bool ptl_core_nest_is_newest(uintptr_t at)
{
	struct ptl_nest *nest = ptl_nest_mine();
	uint32_t nr = nest ? PTL_MIN(nest->nr, PTL_NEST_CALLS) : 0;

	return nr > 0 && nest->call[nr - 1].at == at;
}

uint32_t ptl_core_nest_depth(uintptr_t at)
{
	struct ptl_nest *nest = ptl_nest_mine();

	return nest ? ptl_nest_drop(nest, at) : 0;
}

bool ptl_core_nest_enter(uintptr_t at, uint64_t since, const uint64_t *words,
			 size_t nr)
{
	struct ptl_nest *nest = ptl_nest_mine();
	struct ptl_nest_call *call;
	uint32_t first = 0;

	call = nest ? ptl_nest_push(nest, at, since) : NULL;
	if (!call)
		return false;
	if (call > nest->call)
		first = call[-1].first + call[-1].nr;
	if (first > PTL_NEST_WORDS || nr > PTL_NEST_WORDS - first) {
		nest->nr = (uint32_t)(call - nest->call);
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
