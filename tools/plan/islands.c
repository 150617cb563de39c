/* SPDX-License-Identifier: MIT */
/* Short jumps, and the islands that they lead to; see places.h. */
#include "tools/plan/places.h"

#include <stdlib.h>

/* How far behind an entry the spare bytes of its function can be. */
#define SPARE_REACH 24

/* What could be moved with the entry of a function: plain instructions, which
 * nothing leads to. */
static void find_spare(struct ptl_plan *plan,
		       const struct ptl_plan_function *function)
{
	uint64_t start = function->entry.at + PTL_JUMP_SIZE;
	uint64_t at = function->entry.at + function->entry.size;
	struct ptl_x86 insn;

	/* Bytes that are moved in any case are unused, too, up to where code
	 * leads to; by the symbols of some files a function begins there. */
	for (uint64_t spare = start; spare < at; spare++) {
		if (ptl_code_known(&plan->code, spare) & PTL_BYTE_TARGET)
			return;
		ptl_code_mark(&plan->code, spare, spare + 1, PTL_BYTE_SPARE);
	}
	at = PTL_MAX(at, start);
	if (!ptl_entry_goes_on(plan, &function->entry))
		return;
	while (at < function->entry.at + SPARE_REACH && at < function->end &&
	       ptl_place_decode(plan, at, function->end, &insn) &&
	       insn.kind == PTL_X86_PLAIN && !ptl_place_is_near(&insn) &&
	       !ptl_code_has(&plan->code, at, at + insn.size,
			     PTL_BYTE_TARGET | PTL_BYTE_TAKEN |
				     PTL_BYTE_CAUGHT)) {
		ptl_code_mark(&plan->code, at, at + insn.size, PTL_BYTE_SPARE);
		at += insn.size;
	}
}

static bool is_unused(struct ptl_plan *plan, uint64_t at)
{
	unsigned int known = ptl_code_known(&plan->code, at);

	if (known & PTL_BYTE_SPARE)
		return true;
	return ptl_code_is_free(&plan->code, at, at + 1);
}

/* The entry of the function that has the byte grows over it. */
static void lend(struct ptl_plan *plan, uint64_t at)
{
	struct ptl_plan_function *function = ptl_plan_in(plan, at);
	struct ptl_plan_place *entry;
	struct ptl_x86 insn;

	if (function == NULL)
		return;
	entry = &function->entry;
	function->lends = true;
	while (entry->at + entry->size <= at &&
	       ptl_place_decode(plan, entry->at + entry->size, function->end,
				&insn))
		entry->size = (uint8_t)(entry->size + insn.size);
	ptl_code_mark(&plan->code, entry->at, entry->at + entry->size,
		      PTL_BYTE_TAKEN);
}

static void take(struct ptl_plan *plan, uint64_t island)
{
	for (uint64_t at = island; at < island + PTL_JUMP_SIZE; at++) {
		if (ptl_code_known(&plan->code, at) & PTL_BYTE_SPARE) {
			lend(plan, at);
			ptl_code_unmark(&plan->code, at, PTL_BYTE_SPARE);
		}
		ptl_code_mark(&plan->code, at, at + 1, PTL_BYTE_TAKEN);
	}
}

/* An island that a short jump which ends there reaches; 0: none. */
static uint64_t find_island(struct ptl_plan *plan, uint64_t from)
{
	unsigned int nr = 0;

	/* The first byte is between from - 128 and from + 127. */
	for (uint64_t at = from - 128; at < from + 127 + PTL_JUMP_SIZE; at++) {
		nr = is_unused(plan, at) ? nr + 1 : 0;
		if (nr == PTL_JUMP_SIZE)
			return at + 1 - PTL_JUMP_SIZE;
	}
	return 0;
}

static bool put_short(struct ptl_plan *plan, struct ptl_plan_place *place)
{
	uint64_t end = place->at + PTL_SHORT_SIZE;

	if (place->at < 128 ||
	    (place->size < PTL_SHORT_SIZE &&
	     !ptl_code_is_free(&plan->code, place->at + place->size, end)) ||
	    ptl_code_has(&plan->code, place->at, end, PTL_BYTE_TAKEN) ||
	    ptl_code_has(&plan->code, place->at + 1, end, PTL_BYTE_TARGET))
		return false;
	place->island = find_island(plan, end);
	if (place->island == 0)
		return false;
	take(plan, place->island);
	ptl_code_mark(&plan->code, place->at,
		      place->size > PTL_SHORT_SIZE ? place->at + place->size :
						     end,
		      PTL_BYTE_TAKEN);
	place->how = PTL_PLAN_SHORT;
	place->why = PTL_PLAN_WHY_NOT;
	return true;
}

/* The first instruction, or the first two if that is a byte. */
static void shorten(struct ptl_plan *plan, struct ptl_plan_function *function)
{
	struct ptl_plan_place *entry = &function->entry;
	struct ptl_x86 insn;

	entry->size = 0;
	while (entry->size < PTL_SHORT_SIZE &&
	       entry->at + entry->size < function->end) {
		if (!ptl_place_decode(plan, entry->at + entry->size,
				      function->end, &insn) ||
		    ptl_place_calls(&insn) || ptl_place_is_near(&insn) ||
		    insn.kind == PTL_X86_TRAP || insn.kind == PTL_X86_SYSTEM ||
		    ptl_code_known(&plan->code, entry->at + entry->size) &
			    PTL_BYTE_CAUGHT)
			return;
		entry->size = (uint8_t)(entry->size + insn.size);
		if (ptl_place_ends(&insn))
			break;
	}
	put_short(plan, entry);
}

static bool can_be_short(const struct ptl_plan_place *entry)
{
	return entry->why == PTL_PLAN_TARGET || entry->why == PTL_PLAN_CALL ||
	       entry->why == PTL_PLAN_TINY;
}

/* What is moved for a short jump may go on to the exit behind it. */
static bool join_entry(struct ptl_plan *plan, struct ptl_plan_place *entry,
		       const struct ptl_plan_place *exit)
{
	if (entry->how != PTL_PLAN_SHORT ||
	    exit->at != entry->at + entry->size ||
	    ptl_code_has(&plan->code, exit->at, exit->at + exit->size,
			 PTL_BYTE_TARGET | PTL_BYTE_TAKEN))
		return false;
	entry->size = (uint8_t)(entry->size + exit->size);
	ptl_code_mark(&plan->code, exit->at, exit->at + exit->size,
		      PTL_BYTE_TAKEN);
	return true;
}

static void put_exits(struct ptl_plan *plan, struct ptl_plan_function *function)
{
	for (size_t i = 0; i < function->nr_exits; i++) {
		struct ptl_plan_place *exit =
			&plan->exit[function->first_exit + i];
		struct ptl_plan_place *entry = &function->entry;

		if (exit->how != PTL_PLAN_NOT)
			continue;
		/* A short entry may have got it meanwhile. */
		if ((exit->at >= entry->at &&
		     exit->at + exit->size <= entry->at + entry->size) ||
		    join_entry(plan, entry, exit)) {
			exit->how = PTL_PLAN_INSIDE;
			exit->why = PTL_PLAN_WHY_NOT;
		} else if (exit->why == PTL_PLAN_EXIT_ROOM) {
			put_short(plan, exit);
		}
		if (exit->how == PTL_PLAN_NOT &&
		    function->exit_why == PTL_PLAN_WHY_NOT)
			function->exit_why = exit->why;
	}
}

static bool is_planned(const struct ptl_plan_function *function)
{
	return !function->is_part && function->why == PTL_PLAN_WHY_NOT;
}

void ptl_islands_plan(struct ptl_plan *plan)
{
	for (size_t i = 0; i < plan->nr; i++)
		if (is_planned(&plan->function[i]) &&
		    plan->function[i].entry.how == PTL_PLAN_JUMP)
			find_spare(plan, &plan->function[i]);
	for (size_t i = 0; i < plan->nr; i++) {
		struct ptl_plan_function *function = &plan->function[i];

		if (!is_planned(function))
			continue;
		if (can_be_short(&function->entry))
			shorten(plan, function);
	}
	for (size_t i = 0; i < plan->nr; i++) {
		struct ptl_plan_function *function = &plan->function[i];

		if (is_planned(function) && function->entry.how != PTL_PLAN_NOT)
			put_exits(plan, function);
	}
}
