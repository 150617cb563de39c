/* SPDX-License-Identifier: MIT */
/* What a plan has, by address; see plan.h. */
#include "tools/plan/plan.h"

#include "tools/lib/say.h"

const char *ptl_plan_why(enum ptl_plan_why why)
{
	static const char *const words[PTL_PLAN_WHYS] = {
		[PTL_PLAN_WHY_NOT] = "",
		[PTL_PLAN_STARTUP] = "start-up code",
		[PTL_PLAN_SIGNAL] = "returns from signal handlers",
		[PTL_PLAN_LOADER] = "the loader's",
		[PTL_PLAN_STACKS] = "changes stacks",
		[PTL_PLAN_RECORDER] = "the recorder calls it",
		[PTL_PLAN_XRAY] = "XRay's runtime writes to it",
		[PTL_PLAN_SMALL] = "smaller than --min-size",
		[PTL_PLAN_NO_FRAME] = "no unwind information",
		[PTL_PLAN_PADS] = "unknown table of exceptions",
		[PTL_PLAN_UNKNOWN] = "unknown instruction",
		[PTL_PLAN_TRAP] = "begins with a trap or system call",
		[PTL_PLAN_TARGET] = "a jump leads into the first bytes",
		[PTL_PLAN_CALL] = "a call within the first bytes",
		[PTL_PLAN_TINY] = "too short",
		[PTL_PLAN_ADDRESS] = "an address of 32 bits",
		[PTL_PLAN_LOOPS] = "loops to its first instruction",
		[PTL_PLAN_FAR] = "too far away from what it uses",
		[PTL_PLAN_LABELS] = "the addresses of its jumps are computed",
		[PTL_PLAN_CAUGHT] = "catches faults of its first instructions",
		[PTL_PLAN_CALL_ROOM] = "no room beside it",
		[PTL_PLAN_CALL_TARGET] = "a jump leads to what is beside it",
		[PTL_PLAN_CALL_WATCHED] =
			"a signal handler asks whether it was interrupted",
		[PTL_PLAN_CALL_STACK] = "the thread has no stack any more",
		[PTL_PLAN_CALL_DATA] = "may be no code",
		[PTL_PLAN_PROBE_ROOM] =
			"no instructions beside it that can be moved",
		[PTL_PLAN_PROBE_TARGET] = "a jump leads to what is beside it",
		[PTL_PLAN_PROBE_OUTSIDE] = "its note leads to no code",
		[PTL_PLAN_PROBE_NO_NOP] = "there is no nop where its note says",
		[PTL_PLAN_PROBE_TAKEN] = "-f changes what is there",
		[PTL_PLAN_EXIT_ROOM] = "no room at an exit",
		[PTL_PLAN_EXIT_INTO] = "goes on inside another function",
		[PTL_PLAN_EXIT_STACK] = "leaves with a stack of its own",
		[PTL_PLAN_EXIT_RUNS_ON] = "runs on into the next function",
		[PTL_PLAN_EXIT_SHARED] = "shares code with another function",
		[PTL_PLAN_EXIT_UNKNOWN] = "unknown instruction inside",
		[PTL_PLAN_EXIT_SWITCH] = "a jump that may be of a switch",
		[PTL_PLAN_EXIT_LABELS] =
			"the addresses of jumps inside are computed",
	};

	return words[why];
}

/* So many bytes of code are looked through for functions. */
#define CHUNK 256

void ptl_plan_index(struct ptl_plan *plan)
{
	uint32_t before = 0;

	for (size_t i = 0; i < plan->code.nr; i++) {
		struct ptl_section *section = &plan->code.section[i];
		uint64_t size = section->end - section->start;

		if (section->known == NULL)
			continue;
		section->before = ptl_alloc((size / CHUNK + 1) *
					    sizeof(*section->before));
		for (uint64_t at = 0; at < size; at += CHUNK) {
			while (before < plan->nr &&
			       plan->function[before].start <
				       section->start + at)
				before++;
			section->before[at / CHUNK] = before;
		}
	}
}

struct ptl_plan_function *ptl_plan_in(const struct ptl_plan *plan,
				      uint64_t address)
{
	const struct ptl_section *section =
		ptl_code_at((struct ptl_code *)&plan->code, address);
	size_t nr;

	if (section == NULL)
		return NULL;
	nr = section->before[(address - section->start) / CHUNK];
	while (nr < plan->nr && plan->function[nr].start <= address)
		nr++;
	if (nr == 0 || address >= plan->function[nr - 1].end)
		return NULL;
	return &plan->function[nr - 1];
}

struct ptl_plan_function *ptl_plan_at(const struct ptl_plan *plan,
				      uint64_t address)
{
	struct ptl_plan_function *function = ptl_plan_in(plan, address);

	return function != NULL && function->start == address ? function : NULL;
}

bool ptl_plan_ends(const struct ptl_plan *plan,
		   const struct ptl_plan_place *place, uint64_t end)
{
	const struct ptl_plan_function *function;

	if (place->kind == PTL_PLAN_HOOK)
		return false;
	if (place->kind != PTL_PLAN_ENTRY)
		return end == place->at + place->size;
	function = &plan->function[place->function];
	for (size_t i = 0; i < function->nr_exits; i++) {
		const struct ptl_plan_place *exit =
			&plan->exit[function->first_exit + i];

		if (exit->how == PTL_PLAN_INSIDE &&
		    exit->at + exit->size == end)
			return true;
	}
	return false;
}
