/* SPDX-License-Identifier: MIT */
/* What the sweep notes, whichever machine the code is for. */
#ifndef PTL_TOOLS_PLAN_SWEEPING_H
#define PTL_TOOLS_PLAN_SWEEPING_H

#include "tools/lib/say.h"
#include "tools/plan/plan.h"

struct ptl_sweep {
	struct ptl_plan *plan;
	struct ptl_section *section;
	struct ptl_plan_function *function; /* NULL: code between them */
	uint64_t low, high;		    /* of all code */
	/* Data whose address is computed: tables may be there. */
	uint64_t *table;
	size_t nr_tables, tables_room;
};

static inline void ptl_sweep_mark(struct ptl_sweep *sweep, uint64_t address,
				  unsigned int known)
{
	const struct ptl_section *section = sweep->section;

	if (PTL_LIKELY(address >= section->start && address < section->end))
		section->known[address - section->start] |=
			(unsigned char)known;
	else if (address >= sweep->low && address < sweep->high)
		ptl_code_mark(&sweep->plan->code, address, address + 1, known);
}

/* What may leave a function is there. */
static inline void ptl_sweep_leap(struct ptl_plan *plan, uint64_t address)
{
	plan->leap = ptl_grow(plan->leap, plan->nr_leaps, &plan->leaps_room,
			      sizeof(*plan->leap));
	plan->leap[plan->nr_leaps++] = address;
}

/* Who jumps there, if a function begins there. */
static inline void ptl_sweep_jumper(struct ptl_sweep *sweep, uint64_t to)
{
	struct ptl_plan_function *other = ptl_plan_at(sweep->plan, to);
	uint32_t number = 1;

	if (other == NULL)
		return;
	if (sweep->function != NULL)
		number += (uint32_t)(sweep->function - sweep->plan->function);
	if (other->jumper == 0)
		other->jumper = number;
	else if (other->jumper != number)
		other->has_jumpers = true;
}

/* A direct jump or call is at `address', and leads there. */
static inline void ptl_sweep_target(struct ptl_sweep *sweep, bool is_call,
				    uint64_t address, uint64_t to)
{
	const struct ptl_plan_function *function = sweep->function;

	if (is_call) {
		ptl_sweep_mark(sweep, to, PTL_BYTE_TARGET | PTL_BYTE_CALLED);
		return;
	}
	ptl_sweep_mark(sweep, to, PTL_BYTE_TARGET);
	if (function == NULL || to < function->start || to >= function->end) {
		ptl_sweep_jumper(sweep, to);
		ptl_sweep_leap(sweep->plan, address);
	} else if (to == function->start || to == function->start + 4) {
		/* The first instruction may be behind an endbr64, or what is
		 * like it on aarch64. */
		ptl_sweep_mark(sweep, function->start, PTL_BYTE_LOOPED);
	}
}

/* The function has bytes that are no instruction that is known. */
static inline void ptl_sweep_unknown(struct ptl_sweep *sweep)
{
	sweep->plan->nr_unknown++;
	if (sweep->function != NULL)
		sweep->function->has_unknown = true;
}

#endif
